import Directory

/// What `GET /user-pools/codes` returns.
package struct UserPoolCodeListMembers: DeclaredMembers { package var codes = list(of: UserPoolCodeMembers.self, "codes") }

/// A code or temporary password that a user pool of Amazon Cognito sent.
package struct UserPoolCodeMembers: DeclaredMembers {
    package var (pool, user) = (text("pool"), text("user"))
    package var purpose = choice("purpose", UserPoolCode.Purpose.allCases.map(\.rawValue))
    package var (medium, destination) = (choice("medium", UserPoolCode.Medium.allCases.map(\.rawValue)), text("destination"))
    package var (code, sent, expires) = (text("code"), date("sent"), date("expires"))
    package var (subject, message) = (text("subject").omitted, text("message").omitted)
}
