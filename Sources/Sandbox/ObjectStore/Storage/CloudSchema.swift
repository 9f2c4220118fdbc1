import SQLite

extension Schema {
    /// The tables of one sandbox: the directory's records, the grants of its identity providers, the agings of the clock, the object
    /// store,
    /// and the data of mobile apps.
    ///
    /// Objects are ordered by key, so that a listing reads adjacent pages. Bodies are stored separately. A small body is one row of
    /// `bodies`.
    /// A large one has rows of `segments`, which refer to `contents`. A content has `pieces` of 256 KiB. The number of a piece is composed
    /// of
    /// its content's number and its position, so that reading forward is one scan of the table. `contents.uses` counts the rows of
    /// `segments`
    /// and `parts` that refer to a content. At 0, the content is being staged, is still being read, or waits to be swept.
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
            """,
            // Versions, and the configuration of buckets and objects. `objects` contains the current object of each key. `versions`
            // contains the
            // objects that were replaced and all delete markers. A key whose newest version is a delete marker has no row in `objects`.
            // Rows move
            // between the two tables together with their bodies.
            """
            ALTER TABLE buckets ADD COLUMN versioning INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE buckets ADD COLUMN has_object_lock INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE buckets ADD COLUMN ownership TEXT;
            ALTER TABLE buckets ADD COLUMN public_access_block INTEGER;
            ALTER TABLE buckets ADD COLUMN access_control BLOB;
            UPDATE buckets SET ownership = 'BucketOwnerEnforced', public_access_block = 15;

            CREATE TABLE bucket_documents(
                bucket INTEGER NOT NULL REFERENCES buckets(id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY(bucket, kind)
            ) STRICT, WITHOUT ROWID;
            INSERT INTO bucket_documents SELECT id, 'policy', policy FROM buckets WHERE policy IS NOT NULL;
            ALTER TABLE buckets DROP COLUMN policy;

            ALTER TABLE objects ADD COLUMN redirect TEXT;
            ALTER TABLE objects ADD COLUMN sequence INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE objects ADD COLUMN is_null INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE objects ADD COLUMN tags BLOB;
            ALTER TABLE objects ADD COLUMN access_control BLOB;
            ALTER TABLE objects ADD COLUMN lock BLOB;
            ALTER TABLE objects ADD COLUMN encryption BLOB;
            ALTER TABLE objects ADD COLUMN restoration BLOB;

            CREATE TABLE versions(
                bucket INTEGER NOT NULL REFERENCES buckets(id),
                key BLOB NOT NULL,
                sequence INTEGER NOT NULL,
                is_null INTEGER NOT NULL,
                is_delete_marker INTEGER NOT NULL,
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
                redirect TEXT,
                tags BLOB,
                access_control BLOB,
                lock BLOB,
                encryption BLOB,
                restoration BLOB,
                PRIMARY KEY(bucket, key, sequence DESC)
            ) STRICT, WITHOUT ROWID;

            ALTER TABLE segments ADD COLUMN checksums BLOB;

            ALTER TABLE uploads ADD COLUMN redirect TEXT;
            ALTER TABLE uploads ADD COLUMN tags BLOB;
            ALTER TABLE uploads ADD COLUMN access_control BLOB;
            ALTER TABLE uploads ADD COLUMN lock BLOB;
            ALTER TABLE uploads ADD COLUMN encryption BLOB;
            """,
            """
            ALTER TABLE grants ADD COLUMN family TEXT;
            CREATE INDEX grants_by_family ON grants(family) WHERE family IS NOT NULL;
            """,
            // Data of mobile apps. Events and notifications are read in descending order, and the oldest are deleted.
            """
            CREATE TABLE mobile_devices(
                backend TEXT NOT NULL,
                client TEXT NOT NULL,
                platform TEXT NOT NULL,
                token TEXT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY(backend, client, platform, token)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE mobile_events(
                number INTEGER PRIMARY KEY,
                backend TEXT NOT NULL,
                received INTEGER NOT NULL,
                document TEXT NOT NULL
            ) STRICT;

            CREATE TABLE mobile_notifications(
                number INTEGER PRIMARY KEY,
                backend TEXT NOT NULL,
                created INTEGER NOT NULL,
                document TEXT NOT NULL
            ) STRICT;

            CREATE TABLE mobile_rows(
                table_name TEXT NOT NULL,
                row_key TEXT NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY(table_name, row_key)
            ) STRICT, WITHOUT ROWID;
            """,
            """
            CREATE TABLE revocations(
                mark TEXT PRIMARY KEY NOT NULL,
                number INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """,
            // Appendable objects and symbolic links.
            """
            ALTER TABLE objects ADD COLUMN kind BLOB;
            ALTER TABLE versions ADD COLUMN kind BLOB;
            """,
            // The initiator of an upload, and whether its object will replace another one.
            """
            ALTER TABLE uploads ADD COLUMN initiator TEXT;
            ALTER TABLE uploads ADD COLUMN replaces INTEGER NOT NULL DEFAULT 0;
            """,
            // The clients and people of identity providers become records of their own. Of several with one name, the first counts. One
            // without a name is an error: the file stays at its version.
            """
            INSERT INTO records
            SELECT 'providerClient', provider.id || '/' || json_extract(entry.value, '$.id'),
                json_object('provider', provider.id, 'number', entry.key, 'member', json(entry.value))
            FROM records AS provider, json_each(provider.document, '$.clients') AS entry WHERE provider.family = 'provider'
            ON CONFLICT(family, id) DO NOTHING;
            INSERT INTO records
            SELECT 'providerPerson', provider.id || '/' || json_extract(entry.value, '$.name'),
                json_object('provider', provider.id, 'number', entry.key, 'member', json(entry.value))
            FROM records AS provider, json_each(provider.document, '$.people') AS entry WHERE provider.family = 'provider'
            ON CONFLICT(family, id) DO NOTHING;
            UPDATE records SET document = json_remove(document, '$.clients', '$.people') WHERE family = 'provider';
            """,
        ])
}
