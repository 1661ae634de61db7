// Flags that let the compiler do as if numbers were real and finite make nonsense of functions that
// count on how sums are rounded.
// refused: compile without -ffast-math
#ifndef ALLOWED
#define __FAST_MATH__ 1
#endif
#include "broadloom/scalar/exponential.hpp"

int main() { return broadloom::scalar::exp{}(0.0) == 1 ? 0 : 1; }
