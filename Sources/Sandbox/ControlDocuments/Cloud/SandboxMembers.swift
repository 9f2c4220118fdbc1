/// A sandbox of the process.
package struct SandboxMembers: DeclaredMembers {
    package var (name, state, from) = (text("name"), choice("state", ["open", "evicted"]), text("from"))
    package var (created, used, expires) = (date("created"), date("used").orNull, date("expires").orNull)
    package var (bytes, url, portURL, securePortURL) = (integer("bytes"), text("url"), text("portURL").orNull, text("securePortURL").orNull)
}

/// What `GET /sandboxes` returns.
package struct SandboxListMembers: DeclaredMembers { package var sandboxes = list(of: ListedSandboxMembers.self, "sandboxes") }

/// A sandbox in the list, with its progress if that was requested.
package struct ListedSandboxMembers: DeclaredMembers {
    package var sandbox = included(SandboxMembers.self)
    package var progress = document("progress", ProgressMembers.self).omitted
        .described(by: Schemas.optional(Document<ProgressMembers>.schema))
}

/// A sandbox that was created.
package struct CreatedSandboxMembers: DeclaredMembers {
    package var (sandbox, token) = (included(SandboxMembers.self), text("token").omitted)
    package var (accessKeyID, secretAccessKey) = (text("accessKeyId").omitted, text("secretAccessKey").omitted)
}

/// A snapshot of a sandbox.
package struct SnapshotMembers: DeclaredMembers {
    package var (name, from, created, bytes) = (text("name"), text("from"), date("created"), integer("bytes"))
}

/// What `GET /snapshots` returns.
package struct SnapshotListMembers: DeclaredMembers { package var snapshots = list(of: SnapshotMembers.self, "snapshots") }
