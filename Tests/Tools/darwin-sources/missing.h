// Declares the function that Sources call and that is missing in the wheel's headers.
#include <sys/ioctl.h>
#include <termios.h>

int openpty(int *, int *, char *, struct termios *, struct winsize *);
