int printf(const char *format, ...) { return format[0]; }
