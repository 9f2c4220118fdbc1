/// What `GET /usage/coverage` returns.
package struct CoverageMembers: DeclaredMembers {
    package var (complete, requests) = (flag("complete"), integer("requests"))
    package var statements = document("statements", StatementCountMembers.self)
    package var policies = list(of: CoveredPolicyMembers.self, "policies")
}

/// How many statements decided a request, applied without deciding, or never applied.
package struct StatementCountMembers: DeclaredMembers {
    package var (decided, applied, never) = (integer("decided"), integer("applied"), integer("never"))
}

/// A policy and its statements.
package struct CoveredPolicyMembers: DeclaredMembers {
    package var (policyType, policy, holder, file) = (text("policy_type"), text("policy"), text("holder"), text("file"))
    package var document = anything("document").described(by: Schemas.anyObject)
    package var statements = list(of: CoveredStatementMembers.self, "statements")
}

/// A statement, and how many requests it decided or applied to.
package struct CoveredStatementMembers: DeclaredMembers {
    package var (statement, sid, effect) = (integer("statement"), text("sid").orNull, choice("effect", ["Allow", "Deny"]))
    /// The line of the statement in the formatted policy.
    package var line = integer("line")
    package var (use, applied, decided) = (choice("use", ["decided", "applied", "never"]), integer("applied"), integer("decided"))
}
