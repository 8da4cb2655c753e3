// Counts the calls of the allocator in the executable that this is linked into.

#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

// How many blocks this thread has asked for; -1 where the system has no way to count them.
long allocation_count(void);

#endif
