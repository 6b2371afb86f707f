// Functions of <cmath>, by the JavaScript engine: the tables behind those of libc are 12 KB that do
// not compress. Engines are exact to within a bit or so, as libraries are;
// package/test/sizes.test.mjs compares the sizes that result.
extern "C" {

#define BLOOMERY_BY_HOST(name)                                                                     \
    __attribute__((import_module("env"), import_name(#name))) double host_##name(double x);        \
    double name(double x);                                                                         \
    double name(double x) { return host_##name(x); }
BLOOMERY_BY_HOST(exp)
BLOOMERY_BY_HOST(expm1)
BLOOMERY_BY_HOST(log)
BLOOMERY_BY_HOST(log10)
BLOOMERY_BY_HOST(log1p)
BLOOMERY_BY_HOST(log2)
#undef BLOOMERY_BY_HOST

__attribute__((import_module("env"), import_name("pow"))) double host_pow(double x, double y);
double pow(double x, double y);
double pow(double x, double y) { return host_pow(x, y); }
}
