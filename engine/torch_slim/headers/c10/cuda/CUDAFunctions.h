#pragma once
#include "torch_slim/cuda.h"
#include "torch_slim/library.h"
