// Macros that <windows.h> and X11 leave behind, which know no namespace: the headers of Broadloom
// use none of these words.
#include "support/standard.hpp"

#define near
#define far
#define small char
#define hyper long long
#define interface struct
#define IN
#define OUT
#define ERROR 0
#define DELETE 1
#define DIFFERENCE 11
#define TRUE 1
#define FALSE 0
#define None 0L
#define True 1
#define False 0
#define Complex 0
#define Unsorted 0
#define Bool int
#define Status int
#define Success 0
#define I 1.0if

#include <broadloom/broadloom.hpp>
