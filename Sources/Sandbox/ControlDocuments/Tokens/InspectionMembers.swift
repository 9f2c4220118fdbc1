package import WireFormats

/// What `POST /inspect` returns.
package struct InspectionMembers: DeclaredMembers {
    /// What the text is, and the result in one sentence.
    package var (kind, verdict) = (text("kind"), text("verdict"))
    /// Whether every check passed; `null` if that is not decided.
    package var (valid, checks) = (flag("valid").orNull, list(of: CheckMembers.self, "checks"))
    /// The decoded parts, whose members depend on the kind.
    package var decoded = anything("decoded").described(by: Schemas.anyObject)
    /// Who the subject is in this sandbox.
    package var subject = anything("subject").described(by: ["type": ["object", "null"]])
    package var roles = list(of: InspectedRoleMembers.self, "roles")
}

/// A check; `passed` is `null` if it could not be made.
package struct CheckMembers: DeclaredMembers {
    package var (name, passed, detail) = (text("name"), flag("passed").orNull, text("detail"))
    /// The error of the service if this is its first failed check.
    package var error = document("error", CheckErrorMembers.self).orNull
}

/// An error of a service.
package struct CheckErrorMembers: DeclaredMembers { package var (code, message) = (text("code"), text("message")) }

/// A role whose trust policy was evaluated.
package struct InspectedRoleMembers: DeclaredMembers {
    package var (arn, accepts, reason) = (text("arn"), flag("accepts"), text("reason").orNull)
}
