import SQLite

extension Schema {
    /// The tables of one sandbox: the directory's records and the grants of its identity providers, the clock's ages,
    /// and the object store.
    ///
    /// Objects lie in the order of their keys, so that a listing reads page after page. Bodies stand apart from them.
    /// Small ones are one row of `bodies`; large ones are rows of `segments`, in `contents` which have
    /// `pieces` of 256 KiB whose number is made of their content's number and their position, so that reading forward
    /// is one walk through the table. `contents.uses` counts the rows of `segments` and `parts` that refer to a content;
    /// at 0 it is being staged, still being read, or waiting to be swept.
    static let cloud = Schema(
        applicationID: 0x5669_7267,  // "Virg"
        migrations: [
            """
            CREATE TABLE records(
                family TEXT NOT NULL,
                id TEXT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY(family, id)
            ) STRICT;

            CREATE TABLE grants(
                token_hash BLOB PRIMARY KEY NOT NULL,
                provider TEXT NOT NULL,
                kind TEXT NOT NULL,
                client TEXT NOT NULL,
                person TEXT NOT NULL,
                issued INTEGER NOT NULL,
                expires INTEGER NOT NULL,
                document TEXT NOT NULL
            ) STRICT;
            CREATE INDEX grants_by_person ON grants(provider, client, person);
            CREATE INDEX grants_by_expiry ON grants(expires);

            CREATE TABLE ages(
                declared INTEGER NOT NULL,
                seconds INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE settings(
                name TEXT PRIMARY KEY NOT NULL,
                value BLOB NOT NULL
            ) STRICT;

            CREATE TABLE buckets(
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE,
                account TEXT NOT NULL,
                region TEXT NOT NULL,
                created INTEGER NOT NULL,
                policy TEXT
            ) STRICT;

            CREATE TABLE objects(
                bucket INTEGER NOT NULL REFERENCES buckets(id),
                key BLOB NOT NULL,
                size INTEGER NOT NULL,
                md5 BLOB NOT NULL,
                part_count INTEGER,
                modified INTEGER NOT NULL,
                owner TEXT NOT NULL,
                checksums BLOB,
                storage_class TEXT,
                body INTEGER NOT NULL,
                is_segmented INTEGER NOT NULL,
                content_type TEXT,
                content_encoding TEXT,
                content_disposition TEXT,
                content_language TEXT,
                cache_control TEXT,
                expires TEXT,
                metadata BLOB,
                PRIMARY KEY(bucket, key)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE bodies(
                number INTEGER PRIMARY KEY,
                bytes BLOB NOT NULL
            ) STRICT;

            CREATE TABLE segments(
                body INTEGER NOT NULL,
                number INTEGER NOT NULL,
                content INTEGER NOT NULL,
                size INTEGER NOT NULL,
                PRIMARY KEY(body, number)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE contents(
                id INTEGER PRIMARY KEY,
                uses INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX contents_unused ON contents(id) WHERE uses = 0;

            CREATE TABLE pieces(
                id INTEGER PRIMARY KEY,
                bytes BLOB NOT NULL
            ) STRICT;

            CREATE TABLE uploads(
                number INTEGER PRIMARY KEY,
                id TEXT NOT NULL UNIQUE,
                bucket INTEGER NOT NULL REFERENCES buckets(id),
                key BLOB NOT NULL,
                initiated INTEGER NOT NULL,
                owner TEXT NOT NULL,
                checksum_algorithm INTEGER,
                checksum_coverage INTEGER NOT NULL,
                storage_class TEXT,
                content_type TEXT,
                content_encoding TEXT,
                content_disposition TEXT,
                content_language TEXT,
                cache_control TEXT,
                expires TEXT,
                metadata BLOB
            ) STRICT;
            CREATE UNIQUE INDEX uploads_by_key ON uploads(bucket, key, id);

            CREATE TABLE parts(
                upload INTEGER NOT NULL REFERENCES uploads(number),
                number INTEGER NOT NULL,
                content INTEGER NOT NULL,
                size INTEGER NOT NULL,
                md5 BLOB NOT NULL,
                modified INTEGER NOT NULL,
                checksums BLOB,
                PRIMARY KEY(upload, number)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE completions(
                upload TEXT PRIMARY KEY NOT NULL,
                bucket INTEGER NOT NULL,
                key BLOB NOT NULL
            ) STRICT;
            """
        ])
}
