import Cloud
import Directory
import WireFormats

extension UserPool {
    /// The error for a second factor that cannot be used. The text is known from public reports.
    static let missingFactor = UserPoolError.invalidParameter(
        "SMS configuration and Auto verification for phone_number are required when MFA is required/optional")

    /// Checks that codes by e-mail can be sent: Cognito's own sender does not send them. AWS's text is not known.
    static func checkFactor(sentBy sender: MailSender?) throws(UserPoolError) {
        guard sender?.isDeveloper == true else {
            throw .invalidParameter("Email MFA requires an EmailConfiguration with the EmailSendingAccount DEVELOPER.")
        }
    }

    fileprivate var factorDocument: JSONValue {
        var members: JSONObject = ["MfaConfiguration": .string(multiFactor.rawValue)]
        if acceptsSoftwareTokens { members["SoftwareTokenMfaConfiguration"] = ["Enabled": true] }
        if messageFactors.contains(.sms) {
            var settings: JSONObject = [:]
            if let smsMessage { settings["SmsAuthenticationMessage"] = .string(smsMessage) }
            if let smsSender { settings["SmsConfiguration"] = smsSender.document }
            members["SmsMfaConfiguration"] = .object(settings)
        }
        if messageFactors.contains(.mail) {
            var settings: JSONObject = [:]
            if let mailMessage { settings["Message"] = .string(mailMessage) }
            if let mailSubject { settings["Subject"] = .string(mailSubject) }
            members["EmailMfaConfiguration"] = .object(settings)
        }
        return .object(members)
    }
}

extension UserPool.MailSender {
    /// Reads the member `EmailConfiguration`.
    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        self.init(isDeveloper: try input.choice("EmailSendingAccount", of: ["COGNITO_DEFAULT", "DEVELOPER"]) == "DEVELOPER")
        source = try input.text("SourceArn", length: 20...2048, pattern: .function)
        from = try input.text("From", length: 0...131_072)
        replyTo = try input.text("ReplyToEmailAddress", length: 0...131_072)
        configurationSet = try input.text("ConfigurationSet", length: 1...64)
        try input.check()
        // AWS's text is not known.
        guard !isDeveloper || source != nil else {
            throw .invalidParameter("SourceArn is required when EmailSendingAccount is DEVELOPER.")
        }
    }

    /// The member `EmailConfiguration`.
    var document: JSONValue {
        var members: JSONObject = ["EmailSendingAccount": isDeveloper ? "DEVELOPER" : "COGNITO_DEFAULT"]
        if let source { members["SourceArn"] = .string(source) }
        if let from { members["From"] = .string(from) }
        if let replyTo { members["ReplyToEmailAddress"] = .string(replyTo) }
        if let configurationSet { members["ConfigurationSet"] = .string(configurationSet) }
        return .object(members)
    }
}

extension SignedUserPoolCall {
    /// SetUserPoolMfaConfig. A second factor that the call omits is off.
    mutating func setUserPoolMfaConfig() async throws -> JSONValue? {
        let id = try poolID()
        var factors: [UserPoolFactor] = []
        var (smsMessage, smsSender): (String?, UserPool.SMSSender?) = (nil, nil)
        if var settings = try input.object("SmsMfaConfiguration") {
            smsMessage = try settings.text("SmsAuthenticationMessage", length: 6...140, pattern: .message)
            if var sender = try settings.object("SmsConfiguration") { smsSender = try UserPool.SMSSender(&sender) }
            try settings.check()
            factors.append(.sms)
        }
        var acceptsSoftwareTokens = false
        if var settings = try input.object("SoftwareTokenMfaConfiguration") {
            acceptsSoftwareTokens = try settings.flag("Enabled") ?? false
            try settings.check()
        }
        var (mailMessage, mailSubject): (String?, String?) = (nil, nil)
        if var settings = try input.object("EmailMfaConfiguration") {
            mailMessage = try settings.text("Message", length: 6...20_000, pattern: .message)
            mailSubject = try settings.text("Subject", length: 1...140, pattern: .subject)
            try settings.check()
            factors.append(.mail)
        }
        let choice = try input.choice("MfaConfiguration", of: UserPool.MultiFactor.names)
        var pool = try pool(id)
        try authorize(passing: smsSender?.role)
        pool.multiFactor = choice.flatMap { UserPool.MultiFactor(rawValue: $0) } ?? .off
        pool.acceptsSoftwareTokens = acceptsSoftwareTokens
        pool.messageFactors = factors
        (pool.mailMessage, pool.mailSubject) = (mailMessage, mailSubject)
        if factors.contains(.sms) {
            pool.smsMessage = smsMessage
            pool.smsSender = smsSender ?? pool.smsSender
            guard pool.smsSender != nil else { throw UserPool.missingFactor }
        }
        if factors.contains(.mail) { try UserPool.checkFactor(sentBy: pool.mailSender) }
        guard pool.multiFactor == .off || !pool.factors.isEmpty else {
            throw UserPoolError.invalidParameter("Invalid MFA configuration given, can't turn on MFA without configuring an MFA method.")
        }
        let changed = pool
        try await cloud.edit { directory in directory.put(inUserPools: .pool(changed)) }
        return changed.factorDocument
    }

    /// GetUserPoolMfaConfig.
    mutating func getUserPoolMfaConfig() async throws -> JSONValue? {
        let id = try poolID()
        return try pool(id).factorDocument
    }
}

/// The second factors that a person chooses.
struct MultiFactorPreference: Sendable {
    private var choices: [(factor: UserPoolFactor, choice: UserPoolUser.FactorChoice)] = []

    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        let members: [(String, UserPoolFactor)] = [
            ("SMSMfaSettings", .sms), ("SoftwareTokenMfaSettings", .softwareToken), ("EmailMfaSettings", .mail),
        ]
        for (member, factor) in members {
            guard var settings = try input.object(member) else { continue }
            let isEnabled = try settings.flag("Enabled") ?? false
            let isPreferred = try settings.flag("PreferredMfa") ?? false
            try settings.check()
            choices.append((factor, UserPoolUser.FactorChoice(isEnabled: isEnabled, isPreferred: isEnabled && isPreferred)))
        }
    }

    /// Checks that a person has what the enabled second factors need. The second text is known from public reports.
    func check(_ user: UserPoolUser) throws(UserPoolError) {
        guard choices.filter({ $0.choice.isPreferred }).count <= 1 else {
            throw .invalidParameter("Only one MFA method can be preferred.")
        }
        for (factor, choice) in choices where choice.isEnabled && !user.has(factor) {
            throw .invalidParameter(
                factor == .softwareToken
                    ? "User has not verified software token mfa" : "User does not have delivery config set to turn on \(factor.rawValue)")
        }
    }

    func apply(to user: inout UserPoolUser) {
        if choices.contains(where: { $0.choice.isPreferred }) {
            for factor in UserPoolFactor.allCases { user[choice: factor]?.isPreferred = false }
        }
        for (factor, choice) in choices { user[choice: factor] = choice }
    }
}
