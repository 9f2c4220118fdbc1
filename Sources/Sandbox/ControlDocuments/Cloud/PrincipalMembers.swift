/// What `GET /principals` returns.
package struct PrincipalListMembers: DeclaredMembers { package var principals = list(of: PrincipalMembers.self, "principals") }

/// A root user, user, role or session.
package struct PrincipalMembers: DeclaredMembers {
    package var (kind, arn, name) = (choice("kind", ["root", "user", "role", "session"]), text("arn"), text("name"))
    package var (account, vendor) = (text("account"), choice("vendor", ["aws", "alibaba"]))
    /// What only a session has.
    package var (accessKey, issued, expires) = (text("access_key").omitted, date("issued").omitted, date("expires").omitted)
}

/// What `GET /buckets` returns.
package struct BucketListMembers: DeclaredMembers { package var buckets = list(of: BucketMembers.self, "buckets") }

/// A bucket of any account.
package struct BucketMembers: DeclaredMembers {
    package var (name, vendor, account) = (text("name"), choice("vendor", ["aws", "alibaba"]), text("account"))
    package var (region, created, versioning) = (text("region"), date("created"), choice("versioning", ["never", "enabled", "suspended"]))
    package var (objectLock, shared) = (flag("object_lock"), flag("shared"))
}
