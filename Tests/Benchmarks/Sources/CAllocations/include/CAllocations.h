// Counts the allocations of the executable that links this target.

#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

// The number of allocations of this thread; -1 if the system does not support counting.
long allocation_count(void);

#endif
