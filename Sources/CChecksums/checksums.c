#include "checksums.h"
