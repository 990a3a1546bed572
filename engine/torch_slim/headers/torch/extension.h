#pragma once
#include "torch_slim/bindings.h"
#include "torch_slim/library.h"
