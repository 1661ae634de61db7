// Macros named min and max would make thousands of errors of what is declared here.
// refused: define NOMINMAX before including <windows.h>
#include <cstdlib>

#ifndef ALLOWED
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#include "broadloom/kernel/dispatch.hpp"

int main() { return broadloom::kernel::isa() < 0; }
