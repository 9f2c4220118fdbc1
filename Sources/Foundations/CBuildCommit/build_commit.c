#include "build_commit.h"

#ifndef VIRGA_COMMIT
#define VIRGA_COMMIT ""
#endif

const char *virga_build_commit(void) { return VIRGA_COMMIT; }
