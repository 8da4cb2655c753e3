// Declares the functions that Sources call and that are missing in the wheel's headers, as in netdb.h and util.h of macOS.
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>

int openpty(int *, int *, char *, struct termios *, struct winsize *);

struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol;
  socklen_t ai_addrlen;
  char *ai_canonname;
  struct sockaddr *ai_addr;
  struct addrinfo *ai_next;
};
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int);
