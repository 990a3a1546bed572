#pragma once
#include "torch_slim/library.h"
