#include "CServiceTable.h"

extern const uint8_t cservice_table_start[];
extern const uint32_t cservice_table_length;

const uint8_t *cservice_table_bytes(void) { return cservice_table_start; }

size_t cservice_table_count(void) { return cservice_table_length; }
