// The table of the AWS services that can be forwarded; see ServiceTable.swift for its format. `refresh.py` writes it.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Returns the first byte of the table, which is UTF-8 in the executable's read-only data, without a zero at the end.
const uint8_t *cservice_table_bytes(void);

/// Returns the number of bytes of the table.
size_t cservice_table_count(void);
