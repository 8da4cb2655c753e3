// The functions of the C library that the package uses, for targets without one; those of libm are imported from JavaScript.
#pragma once
typedef __SIZE_TYPE__ size_t;
void *memchr(const void *, int, size_t);
double sin(double);
double cos(double);
double tan(double);
double asin(double);
double acos(double);
double atan(double);
double atan2(double, double);
double exp(double);
double expm1(double);
double log(double);
double log1p(double);
double log2(double);
double pow(double, double);
double hypot(double, double);
double cbrt(double);
double fmod(double, double);
double remainder(double, double);
