// The functions of libm that the package uses, for targets without a C library.
#pragma once
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
