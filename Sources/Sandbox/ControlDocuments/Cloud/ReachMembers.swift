package import WireFormats

/// What `GET /reach` returns: callers and places, and in each row what the caller reaches at each place.
package struct ReachMembers: DeclaredMembers {
    package var access = choice("access", ReachMembers.accesses)
    /// The number of callers of all kinds that were asked for, and the number of those before the first one of this document.
    package var (total, from) = (integer("total"), integer("from"))
    package var places = list(of: ReachPlaceMembers.self, "places")
    /// Whether the places are all of those that were asked for.
    package var complete = flag("complete")
    package var callers = list(of: ReachCallerMembers.self, "callers")

    /// What callers can do with objects.
    package static let accesses = ["read", "write", "delete", "list"]
    /// The kinds of callers.
    package static let kinds = ["person", "user", "role", "session", "root", "anonymous"]
}

/// A bucket or a prefix in it, with the request that is decided for it.
package struct ReachPlaceMembers: DeclaredMembers {
    package var (bucket, prefix, vendor) = (text("bucket"), text("prefix"), choice("vendor", ["aws", "alibaba"]))
    /// The key of the object that is asked about; `null` for the bucket itself.
    package var key = text("key").orNull
    package var (action, resource) = (text("action"), text("resource"))
    /// The condition keys of the request.
    package var context = anything("context").described(by: ReachWayMembers.keys)
}

/// A caller, and what it reaches at each place, in the order of the places.
package struct ReachCallerMembers: DeclaredMembers {
    package var (kind, name) = (choice("kind", ReachMembers.kinds), text("name"))
    /// By what the caller is known: an ARN, an access key, `anonymous`; for a person the identity provider.
    package var (id, account) = (text("id"), text("account").orNull)
    /// The roles that a person can assume; empty for other callers.
    package var ways = list(of: ReachWayMembers.self, "ways")
    package var cells = list(of: ReachCellMembers.self, "cells")
}

/// A role that a person can assume.
package struct ReachWayMembers: DeclaredMembers {
    /// The role, the client whose tokens its account accepts, and whether the trust policy lets the person assume it.
    package var (role, client, trust) = (text("role"), text("client"), choice("trust", ["allowed", "conditional"]))
    /// The condition keys of a session of the role that is the person's.
    package var context = anything("context").described(by: ReachWayMembers.keys)

    static var keys: JSONValue { ["type": "object", "additionalProperties": Schemas.text] }
}

/// What a caller reaches at a place.
package struct ReachCellMembers: DeclaredMembers {
    package var reach = choice("reach", ["allowed", "conditional", "denied"])
    /// The role by which a person reaches it; `null` for other callers, and for a person whom no role lets in.
    package var through = text("through").orNull
}
