/// What `POST /journal/verify` returns.
package struct VerificationMembers: DeclaredMembers {
    package var (complete, last) = (flag("complete"), integer("last"))
    package var (expect, never) = (list(of: ExpectedCallMembers.self, "expect"), list(of: ExpectedCallMembers.self, "never"))
}

/// An expectation, and the calls that matched it.
package struct ExpectedCallMembers: DeclaredMembers {
    package var (expected, met, count) = (text("expected"), flag("met"), integer("count"))
    package var entries = list(of: VerifiedCallMembers.self, "entries")
    /// The closest calls of an expectation that is not met.
    package var nearMisses = list(of: NearMissMembers.self, "near_misses").omitted
}

/// A call in short, with one of its decisions.
package struct VerifiedCallMembers: DeclaredMembers {
    package var (number, requestID, caller) = (integer("number"), text("request_id"), text("caller"))
    package var (operation, action) = (text("operation").orNull, text("action").orNull)
    package var (resource, status) = (text("resource"), integer("status"))
}

/// A call that differs from what was expected.
package struct NearMissMembers: DeclaredMembers {
    package var (call, differs) = (included(VerifiedCallMembers.self), list(of: DifferenceMembers.self, "differs"))
}

/// A member of a call with another value than expected.
package struct DifferenceMembers: DeclaredMembers {
    package var (member, expected, found) = (text("member"), text("expected"), text("found"))
}
