#pragma once
#include "torch_slim/bindings.h"
