// The part of CPython's stable ABI that these headers use, declared here so that no Python.h is needed and
// one module serves every CPython from 3.10 on (with a GIL, 64 bits). Signatures:
// docs.python.org/3/c-api/stable.html.
#pragma once

#include <stddef.h>

extern "C" {
typedef ptrdiff_t Py_ssize_t;
typedef struct _typeobject PyTypeObject;
typedef struct _object {
  Py_ssize_t ob_refcnt;
  PyTypeObject* ob_type;
} PyObject;

void Py_IncRef(PyObject*);
void Py_DecRef(PyObject*);
int Py_IsInitialized(void);
int PyGILState_Ensure(void);
void PyGILState_Release(int);
extern PyObject _Py_NoneStruct, _Py_EllipsisObject;

PyObject* PyImport_ImportModule(const char*);
PyObject* PyObject_GetAttr(PyObject*, PyObject*);
PyObject* PyObject_GetAttrString(PyObject*, const char*);
int PyObject_SetAttrString(PyObject*, const char*, PyObject*);
PyObject* PyObject_Call(PyObject*, PyObject*, PyObject*);
PyObject* PyObject_CallMethodObjArgs(PyObject*, PyObject*, ...);
PyObject* PyObject_GetItem(PyObject*, PyObject*);
PyObject* PyObject_Repr(PyObject*);
PyObject* PyObject_Str(PyObject*);
int PyObject_IsInstance(PyObject*, PyObject*);
int PyObject_IsTrue(PyObject*);

unsigned long PyType_GetFlags(PyTypeObject*);
int PyType_IsSubtype(PyTypeObject*, PyTypeObject*);
extern PyTypeObject PyFloat_Type, PyBool_Type;

PyObject* PyLong_FromLongLong(long long);
PyObject* PyLong_FromUnsignedLongLong(unsigned long long);
long long PyLong_AsLongLong(PyObject*);
unsigned long long PyLong_AsUnsignedLongLong(PyObject*);
PyObject* PyFloat_FromDouble(double);
double PyFloat_AsDouble(PyObject*);
PyObject* PyBool_FromLong(long);
int PyIndex_Check(PyObject*);
int PyNumber_Check(PyObject*);
PyObject* PyNumber_Index(PyObject*);
PyObject* PyNumber_Long(PyObject*);
PyObject* PyNumber_Float(PyObject*);

PyObject* PyUnicode_FromStringAndSize(const char*, Py_ssize_t);
PyObject* PyUnicode_FromString(const char*);
PyObject* PyUnicode_InternFromString(const char*);
const char* PyUnicode_AsUTF8AndSize(PyObject*, Py_ssize_t*);
int PyBytes_AsStringAndSize(PyObject*, char**, Py_ssize_t*);
PyObject* PyTuple_New(Py_ssize_t);
Py_ssize_t PyTuple_Size(PyObject*);
PyObject* PyTuple_GetItem(PyObject*, Py_ssize_t);
int PyTuple_SetItem(PyObject*, Py_ssize_t, PyObject*);
PyObject* PySlice_New(PyObject*, PyObject*, PyObject*);
PyObject* PyList_New(Py_ssize_t);
int PyList_SetItem(PyObject*, Py_ssize_t, PyObject*);
int PySequence_Check(PyObject*);
Py_ssize_t PySequence_Size(PyObject*);
PyObject* PySequence_GetItem(PyObject*, Py_ssize_t);
PyObject* PyDict_New(void);
int PyDict_SetItem(PyObject*, PyObject*, PyObject*);
int PyDict_SetItemString(PyObject*, const char*, PyObject*);

PyObject* PyErr_Occurred(void);
void PyErr_Clear(void);
void PyErr_Fetch(PyObject**, PyObject**, PyObject**);
void PyErr_Restore(PyObject*, PyObject*, PyObject*);
void PyErr_NormalizeException(PyObject**, PyObject**, PyObject**);
void PyErr_SetString(PyObject*, const char*);
int PyErr_WarnEx(PyObject*, const char*, Py_ssize_t);
extern PyObject *PyExc_RuntimeError, *PyExc_TypeError, *PyExc_ValueError, *PyExc_IndexError,
    *PyExc_NotImplementedError, *PyExc_MemoryError, *PyExc_OverflowError, *PyExc_BufferError,
    *PyExc_UserWarning, *PyExc_ImportError;

typedef PyObject* (*PyCFunction)(PyObject*, PyObject*);
typedef struct PyMethodDef {
  const char* ml_name;
  PyCFunction ml_meth;
  int ml_flags;
  const char* ml_doc;
} PyMethodDef;
typedef struct PyModuleDef {
  struct {
    PyObject ob_base;
    PyObject* (*m_init)(void);
    Py_ssize_t m_index;
    PyObject* m_copy;
  } m_base;
  const char* m_name;
  const char* m_doc;
  Py_ssize_t m_size;
  PyMethodDef* m_methods;
  void *m_slots, *m_traverse, *m_clear, *m_free;
} PyModuleDef;
PyObject* PyModule_Create2(PyModuleDef*, int);
PyObject* PyCFunction_NewEx(PyMethodDef*, PyObject*, PyObject*);
PyObject* PyCapsule_New(void*, const char*, void (*)(PyObject*));
void* PyCapsule_GetPointer(PyObject*, const char*);
}

namespace torch_slim {
inline constexpr int kFastCallWithKeywords = 0x0080 | 0x0002;  // METH_FASTCALL | METH_KEYWORDS
inline constexpr int kStableAbi = 3;                           // PYTHON_ABI_VERSION
inline bool is_long(PyObject* o) {
  return PyType_GetFlags(o->ob_type) >> 24 & 1;
}
inline bool is_list_or_tuple(PyObject* o) {
  return PyType_GetFlags(o->ob_type) >> 25 & 3;
}
inline bool is_tuple(PyObject* o) {
  return PyType_GetFlags(o->ob_type) >> 26 & 1;
}
inline bool is_bytes(PyObject* o) {
  return PyType_GetFlags(o->ob_type) >> 27 & 1;
}
inline bool is_text(PyObject* o) {
  return PyType_GetFlags(o->ob_type) >> 28 & 1;
}
inline bool is_float(PyObject* o) {
  return PyType_IsSubtype(o->ob_type, &PyFloat_Type);
}
}  // namespace torch_slim

#define Py_None (&_Py_NoneStruct)
