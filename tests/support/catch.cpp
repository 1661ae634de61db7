// The source for whose sake the build precompiles catch.hpp; the test programs take it from here.
#include "support/catch.hpp"
