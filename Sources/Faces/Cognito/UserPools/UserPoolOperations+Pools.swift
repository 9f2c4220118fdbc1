import Cloud
import Cryptography
import Directory
import Federation
import Policy
import WireFormats

/// The settings of a pool that a call gives; those that it omits have their defaults.
struct UserPoolSettings: Sendable {
    var passwordPolicy = UserPoolPasswordPolicy()
    var autoVerifiedAttributes: [String]
    var multiFactor: UserPool.MultiFactor
    var allowsAdminCreateUserOnly = false
    var isProtected: Bool
    var smsSender: UserPool.SMSSender?
    var smsMessage: String?
    var mailSender: UserPool.MailSender?
    var devices: UserPool.DeviceSettings?
    var recovery: [UserPool.Recovery] = [.email, .phone]
    /// `nil` if the call does not change them.
    var tags: [Tag]?
    /// The functions, without the URLs that stand for them.
    var triggers: [UserPoolTrigger] = []

    /// Reads the members that CreateUserPool and UpdateUserPool have in common.
    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        if var policies = try input.object("Policies") {
            if var policy = try policies.object("PasswordPolicy") {
                passwordPolicy = try UserPoolPasswordPolicy(&policy)
                try policy.check()
            }
            try Self.checkSignInPolicy(&policies)
            try policies.check()
        }
        autoVerifiedAttributes = try input.texts("AutoVerifiedAttributes", of: ["phone_number", "email"]) ?? []
        multiFactor = UserPool.MultiFactor(rawValue: try input.choice("MfaConfiguration", of: UserPool.MultiFactor.names) ?? "OFF") ?? .off
        if var settings = try input.object("AdminCreateUserConfig") {
            allowsAdminCreateUserOnly = try settings.flag("AllowAdminCreateUserOnly") ?? false
            try settings.check()
        }
        isProtected = try input.choice("DeletionProtection", of: ["ACTIVE", "INACTIVE"]) == "ACTIVE"
        if var sender = try input.object("SmsConfiguration") { smsSender = try UserPool.SMSSender(&sender) }
        smsMessage = try input.text("SmsAuthenticationMessage", length: 6...140, pattern: .message)
        if var sender = try input.object("EmailConfiguration") { mailSender = try UserPool.MailSender(&sender) }
        if var settings = try input.object("DeviceConfiguration") {
            devices = UserPool.DeviceSettings(
                replacesFactor: try settings.flag("ChallengeRequiredOnNewDevice") ?? false,
                isOnPrompt: try settings.flag("DeviceOnlyRememberedOnUserPrompt") ?? false)
            try settings.check()
        }
        if var setting = try input.object("AccountRecoverySetting") {
            if let mechanisms = try setting.objects("RecoveryMechanisms") { recovery = try Self.recovery(mechanisms) }
            try setting.check()
        }
        tags = try input.tagsIfGiven("UserPoolTags")
        try Self.checkFixedMembers(&input)
        if var config = try input.object("LambdaConfig") { triggers = try UserPoolTrigger.all(in: &config) }
    }

    /// Reads the ways to a person who forgot the password, and sorts them by priority.
    private static func recovery(_ mechanisms: [UserPoolInput]) throws(UserPoolError) -> [UserPool.Recovery] {
        var found: [(priority: Int, way: UserPool.Recovery)] = []
        for var mechanism in mechanisms {
            let priority = try mechanism.integer("Priority", range: 1...2) ?? 1
            let name = try mechanism.requiredChoice("Name", of: UserPool.Recovery.allCases.map(\.rawValue))
            try mechanism.check()
            if let way = UserPool.Recovery(rawValue: name) { found.append((priority, way)) }
        }
        return found.sorted { $0.priority < $1.priority }.map(\.way)
    }

    /// Replaces the settings of a pool; tags stay unless the call has some. A second factor needs a way. Codes by SMS are one as soon as SMS can be
    /// sent.
    func apply(to pool: inout UserPool) throws(UserPoolError) {
        if smsSender == nil {
            pool.messageFactors.removeAll { $0 == .sms }
        } else if multiFactor != .off, !pool.messageFactors.contains(.sms) {
            pool.messageFactors.append(.sms)
        }
        guard multiFactor == .off || !pool.factors.isEmpty else { throw UserPool.missingFactor }
        if pool.messageFactors.contains(.mail) { try UserPool.checkFactor(sentBy: mailSender) }
        pool.smsSender = smsSender
        pool.smsMessage = smsMessage
        pool.mailSender = mailSender
        pool.devices = devices
        pool.recovery = recovery
        pool.passwordPolicy = passwordPolicy
        pool.autoVerifiedAttributes = autoVerifiedAttributes
        pool.multiFactor = multiFactor
        pool.allowsAdminCreateUserOnly = allowsAdminCreateUserOnly
        pool.isProtected = isProtected
        if let tags { pool.tags = tags }
    }
}

extension UserPool.MultiFactor {
    static let names = allCases.map(\.rawValue)
}

extension UserPool.SMSSender {
    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        self.init(
            role: try input.requiredText("SnsCallerArn", length: 20...2048), externalID: try input.text("ExternalId", length: 0...131_072),
            region: try input.text("SnsRegion", length: 5...32))
        try input.check()
    }

    var document: JSONValue {
        var members: JSONObject = ["SnsCallerArn": .string(role)]
        if let externalID { members["ExternalId"] = .string(externalID) }
        if let region { members["SnsRegion"] = .string(region) }
        return .object(members)
    }
}

extension UserPoolPasswordPolicy {
    fileprivate init(_ input: inout UserPoolInput) throws(UserPoolError) {
        self.init()
        minimumLength = try input.integer("MinimumLength", range: 6...99) ?? 6
        requiresUppercase = try input.flag("RequireUppercase") ?? false
        requiresLowercase = try input.flag("RequireLowercase") ?? false
        requiresNumbers = try input.flag("RequireNumbers") ?? false
        requiresSymbols = try input.flag("RequireSymbols") ?? false
        temporaryValidityDays = try input.integer("TemporaryPasswordValidityDays", range: 0...365) ?? 7
        let remembered = try input.integer("PasswordHistorySize", range: 0...24) ?? 0
        guard remembered == 0 else { throw .unsupported("PasswordHistorySize") }
    }

    fileprivate var document: JSONValue {
        [
            "MinimumLength": .integer(Int64(minimumLength)), "RequireUppercase": .bool(requiresUppercase),
            "RequireLowercase": .bool(requiresLowercase), "RequireNumbers": .bool(requiresNumbers),
            "RequireSymbols": .bool(requiresSymbols), "TemporaryPasswordValidityDays": .integer(Int64(temporaryValidityDays)),
        ]
    }
}

extension UserPoolAttribute {
    /// Reads an attribute of a schema.
    fileprivate init(_ input: inout UserPoolInput) throws(UserPoolError) {
        let name = try input.requiredText("Name", length: 1...20, pattern: .name)
        let isStandard = Self.standard.contains { $0.name == name }
        let type = try input.choice("AttributeDataType", of: DataType.allCases.map(\.rawValue)).flatMap { DataType(rawValue: $0) }
        self.init(name: isStandard ? name : Self.customPrefix + name, type: type ?? .string)
        isMutable = try input.flag("Mutable") ?? true
        isRequired = try input.flag("Required") ?? false
        if var limits = try input.object("StringAttributeConstraints") {
            least = try limits.text("MinLength", length: 0...131_072)
            greatest = try limits.text("MaxLength", length: 0...131_072)
            try limits.check()
        }
        if var limits = try input.object("NumberAttributeConstraints") {
            least = try limits.text("MinValue", length: 0...131_072)
            greatest = try limits.text("MaxValue", length: 0...131_072)
            try limits.check()
        }
        guard try input.flag("DeveloperOnlyAttribute") != true else { throw .unsupported("DeveloperOnlyAttribute") }
        try input.check()
        guard isStandard || !isRequired else {
            throw .invalidParameter("Required custom attributes are not supported currently.")
        }
    }

    fileprivate var document: JSONValue {
        var members: JSONObject = [
            "Name": .string(name), "AttributeDataType": .string(type.rawValue), "DeveloperOnlyAttribute": false,
            "Mutable": .bool(isMutable), "Required": .bool(isRequired),
        ]
        var limits: JSONObject = [:]
        let names = type == .string ? ("MinLength", "MaxLength") : ("MinValue", "MaxValue")
        if let least { limits[names.0] = .string(least) }
        if let greatest { limits[names.1] = .string(greatest) }
        switch type {
        case .string: members["StringAttributeConstraints"] = .object(limits)
        case .number: members["NumberAttributeConstraints"] = .object(limits)
        case .dateTime, .boolean: break
        }
        return .object(members)
    }
}

extension UserPool {
    /// Returns the document of the pool.
    fileprivate func document(people: Int, domains: [UserPoolDomain] = []) -> JSONValue {
        let sender = mailSender ?? MailSender(isDeveloper: false)
        var members: JSONObject = [
            "Id": .string(id), "Name": .string(name),
            "Policies": ["PasswordPolicy": passwordPolicy.document, "SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD"]]],
            "DeletionProtection": isProtected ? "ACTIVE" : "INACTIVE", "LambdaConfig": triggerDocument,
            "LastModifiedDate": modified.userPoolTime,
            "CreationDate": created.userPoolTime, "SchemaAttributes": .array(attributes.map(\.document)),
            "VerificationMessageTemplate": ["DefaultEmailOption": "CONFIRM_WITH_CODE"],
            "UserAttributeUpdateSettings": ["AttributesRequireVerificationBeforeUpdate": []],
            "MfaConfiguration": .string(multiFactor.rawValue), "EstimatedNumberOfUsers": .integer(Int64(people)),
            "EmailConfiguration": sender.document,
            "AdminCreateUserConfig": [
                "AllowAdminCreateUserOnly": .bool(allowsAdminCreateUserOnly),
                "UnusedAccountValidityDays": .integer(Int64(passwordPolicy.temporaryValidityDays)),
            ],
            "Arn": .string(arn),
            "AccountRecoverySetting": [
                "RecoveryMechanisms": .array(
                    recovery.enumerated().map { ["Priority": .integer(Int64($0 + 1)), "Name": .string($1.rawValue)] })
            ],
            "UserPoolTier": "ESSENTIALS",
        ]
        for domain in domains { members[domain.isCustom ? "CustomDomain" : "Domain"] = .string(domain.name) }
        if let smsSender { members["SmsConfiguration"] = smsSender.document }
        if let devices {
            members["DeviceConfiguration"] = [
                "ChallengeRequiredOnNewDevice": .bool(devices.replacesFactor),
                "DeviceOnlyRememberedOnUserPrompt": .bool(devices.isOnPrompt),
            ]
        }
        if let smsMessage { members["SmsAuthenticationMessage"] = .string(smsMessage) }
        if !autoVerifiedAttributes.isEmpty { members["AutoVerifiedAttributes"] = .array(autoVerifiedAttributes.map { .string($0) }) }
        if !aliasAttributes.isEmpty { members["AliasAttributes"] = .array(aliasAttributes.map { .string($0) }) }
        if !usernameAttributes.isEmpty { members["UsernameAttributes"] = .array(usernameAttributes.map { .string($0) }) }
        if !isCaseSensitive || showsCaseSensitivity == true {
            members["UsernameConfiguration"] = ["CaseSensitive": .bool(isCaseSensitive)]
        }
        if !tags.isEmpty { members["UserPoolTags"] = .object(JSONObject(tags.map { ($0.key, JSONValue.string($0.value)) })) }
        return .object(members)
    }
}

extension SignedUserPoolCall {
    /// CreateUserPool.
    mutating func createUserPool() async throws -> JSONValue? {
        let name = try input.requiredText("PoolName", length: 1...128, pattern: .title)
        let settings = try UserPoolSettings(&input)
        let aliases = try input.texts("AliasAttributes", of: ["phone_number", "email", "preferred_username"]) ?? []
        let usernames = try input.texts("UsernameAttributes", of: ["phone_number", "email"]) ?? []
        var caseSensitivity: Bool?
        if var configuration = try input.object("UsernameConfiguration") {
            caseSensitivity = try configuration.flag("CaseSensitive")
            try configuration.check()
        }
        var schema: [UserPoolAttribute] = []
        for var element in try input.objects("Schema") ?? [] { schema.append(try UserPoolAttribute(&element)) }
        try input.check()
        try authorize(on: "*")
        guard aliases.isEmpty || usernames.isEmpty else {
            throw UserPoolError.invalidParameter("Only one of aliasAttributes or usernameAttributes can be set in a user pool.")
        }
        var pool = UserPool(
            id: try UserPoolIdentifier.newPool(in: region), account: account, name: name, created: cloud.clock.now)
        try settings.apply(to: &pool)
        pool.triggers = try placed(settings.triggers, in: pool)
        try authorize(passing: settings.smsSender?.role)
        (pool.aliasAttributes, pool.usernameAttributes, pool.isCaseSensitive) = (aliases, usernames, caseSensitivity ?? true)
        pool.showsCaseSensitivity = caseSensitivity.map { _ in true }
        pool.customAttributes = schema.filter { $0.name.hasPrefix(UserPoolAttribute.customPrefix) }
        pool.changedAttributes = schema.filter { !$0.name.hasPrefix(UserPoolAttribute.customPrefix) }
        let made = pool
        try await cloud.edit { directory in directory.put(inUserPools: .pool(made)) }
        return ["UserPool": made.document(people: 0)]
    }

    /// DescribeUserPool.
    mutating func describeUserPool() async throws -> JSONValue? {
        let id = try poolID()
        let pool = try pool(id)
        let people = pools.users(of: pool.id).reduce(0) { count, _ in count + 1 }
        return ["UserPool": pool.document(people: people, domains: pools.domains(of: pool.id))]
    }

    /// UpdateUserPool. Settings that the call omits return to their defaults.
    mutating func updateUserPool() async throws -> JSONValue? {
        let id = try poolID()
        let settings = try UserPoolSettings(&input)
        var pool = try pool(id)
        try settings.apply(to: &pool)
        pool.triggers = try placed(settings.triggers, in: pool)
        try authorize(passing: settings.smsSender?.role)
        pool.modified = cloud.clock.now
        let changed = pool
        try await cloud.edit { directory in directory.put(inUserPools: .pool(changed)) }
        return [:]
    }

    /// AddCustomAttributes.
    mutating func addCustomAttributes() async throws -> JSONValue? {
        let id = try poolID()
        var added: [UserPoolAttribute] = []
        for var element in try input.objects("CustomAttributes") ?? [] { added.append(try UserPoolAttribute(&element)) }
        var pool = try pool(id)
        for attribute in added {
            guard attribute.name.hasPrefix(UserPoolAttribute.customPrefix), pool.attribute(attribute.name) == nil else {
                throw UserPoolError.invalidParameter("\(attribute.name): Existing attribute already has name.")
            }
            pool.customAttributes.append(attribute)
        }
        guard pool.customAttributes.count <= 50 else {
            throw UserPoolError("LimitExceededException", "A user pool can have at most 50 custom attributes.")
        }
        pool.modified = cloud.clock.now
        let changed = pool
        try await cloud.edit { directory in directory.put(inUserPools: .pool(changed)) }
        return [:]
    }

    /// DeleteUserPool.
    mutating func deleteUserPool() async throws -> JSONValue? {
        let id = try poolID()
        let pool = try pool(id)
        try await cloud.edit { directory in try directory.deleteUserPool(pool.id) }
        return nil
    }

    /// ListUserPools.
    mutating func listUserPools() async throws -> JSONValue? {
        guard let most = try input.integer("MaxResults", range: 1...60) else {
            throw UserPoolError.invalidParameter(
                "1 validation error detected: Value null at 'maxResults' failed to satisfy constraint: Member must not be null")
        }
        let token = try input.text("NextToken", length: 1...131_072, pattern: .visible)
        try input.check()
        try authorize(on: "*")
        let all = pools.pools.filter { $0.account == account && $0.region == region }
        let rest = all.drop { pool in token.map { pool.id <= $0 } ?? false }
        let page = rest.prefix(most)
        var result: JSONObject = [
            "UserPools": .array(
                page.map { pool in
                    [
                        "Id": .string(pool.id), "Name": .string(pool.name), "LambdaConfig": pool.triggerDocument,
                        "LastModifiedDate": pool.modified.userPoolTime, "CreationDate": pool.created.userPoolTime,
                    ]
                })
        ]
        if page.count < rest.count, let last = page.last { result["NextToken"] = .string(last.id) }
        return .object(result)
    }
}
