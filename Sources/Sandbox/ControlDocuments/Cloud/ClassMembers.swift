/// What the requests to a sandbox show about the person who works in it.
package struct ProgressMembers: DeclaredMembers {
    package var steps = texts("steps").described(by: Schemas.list(Schemas.choice(WorkshopStep.allCases.map(\.rawValue))))
    package var (requests, refusals, active) = (integer("requests"), integer("refusals"), date("active").orNull)
    package var lastRefusal = document("last_refusal", LastRefusalMembers.self).orNull
}

/// A step of a workshop.
package enum WorkshopStep: String, Sendable, CaseIterable {
    /// A person logged in, or a token was issued.
    case login
    /// A session got temporary credentials.
    case credentials
    /// A session read an object.
    case read
    /// A policy denied a request.
    case refused
    /// A session wrote an object.
    case write
    /// A policy, role or user was changed.
    case policy
    /// A token, signature or session was rejected, or an error on demand was returned.
    case broken
}

/// The last denied or rejected request.
package struct LastRefusalMembers: DeclaredMembers {
    package var (number, time, operation) = (integer("number"), date("time"), text("operation"))
    package var (error, reason) = (text("error").orNull, text("reason").orNull)
}

/// What `GET /class` returns.
package struct ClassMembers: DeclaredMembers {
    package var settings = document("class", ClassSettingsMembers.self).orNull
    package var students = list(of: ListedStudentMembers.self, "students")
}

/// The settings of a class, and the code of its link.
package struct ClassSettingsMembers: DeclaredMembers {
    package var (from, limit, root) = (text("from"), integer("limit"), choice("root", ["random", "seed"]))
    package var (expires, code) = (duration("expires").orNull, text("code").orNull)
}

/// A student.
package struct StudentMembers: DeclaredMembers {
    package var (name, sandbox, code, signedIn) = (text("name"), text("sandbox"), text("code").orNull, flag("signedIn"))
}

/// A student with the progress.
package struct ListedStudentMembers: DeclaredMembers {
    package var (student, progress) = (included(StudentMembers.self), document("progress", ProgressMembers.self).orNull)
}

/// Whose link has a code.
package struct LinkOwnerMembers: DeclaredMembers { package var (kind, name) = (choice("kind", ["class", "student"]), text("name").orNull) }

/// A student who signed in with a code.
package struct JoinedMembers: DeclaredMembers {
    package var (name, sandbox, session, code) = (text("name"), text("sandbox"), text("session"), text("code").orNull)
}

/// What was done for each student.
package struct ClassChangeMembers: DeclaredMembers {
    package var (done, failed) = (integer("done"), list(of: ClassFailureMembers.self, "failed"))
}

/// What was not done for a student.
package struct ClassFailureMembers: DeclaredMembers {
    package var (sandbox, error, message) = (text("sandbox"), text("error"), text("message"))
}
