#include "openssl_shim.h"
