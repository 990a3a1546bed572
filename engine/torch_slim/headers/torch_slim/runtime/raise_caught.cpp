#include <stdexcept>

#include "torch_slim/function.h"

namespace torch_slim {

void raise_caught(bool all_runtime) {
  try {
    throw;
  } catch (const c10::Error& error) {
    error.restore();
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_ValueError, error.what());
  } catch (const std::domain_error& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_ValueError, error.what());
  } catch (const std::length_error& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_ValueError, error.what());
  } catch (const std::out_of_range& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_IndexError, error.what());
  } catch (const std::overflow_error& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_OverflowError, error.what());
  } catch (const std::range_error& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_ValueError, error.what());
  } catch (const std::bad_alloc& error) {
    PyErr_SetString(all_runtime ? PyExc_RuntimeError : PyExc_MemoryError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "Caught an unknown exception!");
  }
}

}  // namespace torch_slim
