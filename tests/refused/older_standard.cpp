// Before C++20 nothing in here means anything, which is said in one line.
// refused: Broadloom needs C..20
#ifndef ALLOWED
#define _MSVC_LANG 201703L
#endif
#include "broadloom/broadloom.hpp"

int main() { return broadloom::Shape{2, 3}.rank() == 2 ? 0 : 1; }
