#include <sqlite3.h>

// Before the first use of SQLite: a function with a variable number of arguments, which Swift cannot import.
static inline int virga_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// SQLITE_TRANSIENT is a cast that Swift cannot import: these bind a copy of the bytes.

static inline int virga_bind_text_copy(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int virga_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

// The bytes must stay where they are until the statement is reset.
static inline int virga_bind_blob_in_place(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_STATIC);
}

// sqlite3_db_config takes variable arguments, which Swift does not import.

// SQL in the schema of a file may not call functions or virtual tables with side effects.
static inline void virga_sqlite_distrust_schema(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

static inline void virga_sqlite_skip_checkpoint_at_close(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
