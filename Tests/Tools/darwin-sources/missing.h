// What Sources call of Apple's headers that the wheel leaves out.
#include <sys/ioctl.h>
#include <termios.h>

int openpty(int *, int *, char *, struct termios *, struct winsize *);
