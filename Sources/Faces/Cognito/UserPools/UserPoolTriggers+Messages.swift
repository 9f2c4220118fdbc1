import Directory
import WireFormats

extension UserPoolTriggers {
    /// What stands for the code in a message.
    private static let codeParameter = "{####}"
    /// What stands for the username in an invitation.
    private static let usernameParameter = "{username}"

    /// Lets a function write the message of a code. A message without the code is not used.
    func writeMessage(of code: inout UserPoolCode, _ source: String, to user: UserPoolUser) async throws {
        let isInvitation = code.purpose == .temporaryPassword
        let request: JSONObject = [
            "userAttributes": .object(user.eventAttributes), "codeParameter": .string(Self.codeParameter),
            "linkParameter": "{##Click Here##}", "usernameParameter": isInvitation ? .string(Self.usernameParameter) : .null,
        ]
        let response: JSONObject = ["smsMessage": .null, "emailMessage": .null, "emailSubject": .null]
        guard let result = try await call(.customMessage, source, of: user.username, request: request, response: response) else { return }
        let isMail = code.medium == .email
        guard let text = try result.text(isMail ? "emailMessage" : "smsMessage"), text.contains(Self.codeParameter),
            !isInvitation || text.contains(Self.usernameParameter)
        else { return }
        let filled = text.replacing(Self.codeParameter, with: code.code)
        code.message = isInvitation ? filled.replacing(Self.usernameParameter, with: user.username) : filled
        code.subject = isMail ? try result.text("emailSubject") : nil
    }

    /// Lets a function write the messages of codes that verify new addresses.
    /// - Parameter attributes: the attributes that are set.
    func writeMessages(
        of codes: [UserPoolCode], for attributes: [UserPoolUser.Attribute], of user: UserPoolUser
    ) async throws -> [UserPoolCode] {
        var draft = user
        for attribute in attributes { draft[attribute: attribute.name] = attribute.value }
        var written: [UserPoolCode] = []
        for code in codes {
            var code = code
            try await writeMessage(of: &code, "UpdateUserAttribute", to: draft)
            written.append(code)
        }
        return written
    }
}
