import WireFormats

extension RealmReader {
    /// Settings of a new realm of Keycloak. Exports have them with their defaults, so only other values are reported.
    private static let usualSettings: JSONObject = [
        "accessCodeLifespan": 60, "accessCodeLifespanLogin": 1800, "accessCodeLifespanUserAction": 300,
        "accessTokenLifespanForImplicitFlow": 900, "actionTokenGeneratedByAdminLifespan": 43200,
        "actionTokenGeneratedByUserLifespan": 300, "browserFlow": "browser", "bruteForceStrategy": "MULTIPLE",
        "clientAuthenticationFlow": "clients", "clientOfflineSessionIdleTimeout": 0, "clientOfflineSessionMaxLifespan": 0,
        "clientSessionIdleTimeout": 0, "clientSessionMaxLifespan": 0, "directGrantFlow": "direct grant",
        "dockerAuthenticationFlow": "docker auth", "enabled": true, "eventsListeners": ["jboss-logging"], "failureFactor": 30,
        "firstBrokerLoginFlow": "first broker login", "maxDeltaTimeSeconds": 43200, "maxFailureWaitSeconds": 900,
        "maxSecondaryAuthFailures": 0, "maxTemporaryLockouts": 0, "minimumQuickLoginWaitSeconds": 60, "notBefore": 0,
        "oauth2DeviceCodeLifespan": 600, "oauth2DevicePollingInterval": 5, "offlineSessionIdleTimeout": 2_592_000,
        "offlineSessionMaxLifespan": 5_184_000, "otpPolicyAlgorithm": "HmacSHA1", "otpPolicyDigits": 6, "otpPolicyInitialCounter": 0,
        "otpPolicyLookAheadWindow": 1, "otpPolicyPeriod": 30, "otpPolicyType": "totp", "quickLoginCheckMilliSeconds": 1000,
        "refreshTokenMaxReuse": 0, "registrationFlow": "registration", "requiredCredentials": ["password"],
        "resetCredentialsFlow": "reset credentials", "sslRequired": "external", "ssoSessionIdleTimeout": 1800,
        "ssoSessionIdleTimeoutRememberMe": 0, "ssoSessionMaxLifespan": 36000, "ssoSessionMaxLifespanRememberMe": 0,
        "waitIncrementSeconds": 60,
    ]

    /// Settings that every export has, in forms that differ between releases, and that concern only Keycloak's own pages and logins with a
    /// second factor.
    private static let usualNames: Set<String> = [
        "attributes", "browserSecurityHeaders", "clientScopeMappings", "defaultRoles", "otpSupportedApplications", "requiredActions",
        "webAuthnPolicySignatureAlgorithms", "webAuthnPolicyPasswordlessSignatureAlgorithms",
    ]

    /// Returns whether a new realm has a setting with this value.
    static func isUsual(_ name: String, _ value: JSONValue) -> Bool {
        if isEmpty(value) || usualNames.contains(name) || usualSettings[name] == value { return true }
        return name.hasPrefix("webAuthnPolicy") && [.string("keycloak"), .string("not specified"), .integer(0)].contains(value)
    }

    /// Returns whether a value has no content: also an object of empty lists.
    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool(false): true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.allSatisfy { isEmpty($0.value) }
        default: false
        }
    }

    /// Attributes that exports have without having been set.
    private static let usualAttributes: Set<String> = [
        "acr.loa.map", "actionTokenGeneratedByUserLifespan.execute-actions", "frontendUrl", "oauth2DeviceCodeLifespan",
        "oauth2DevicePollingInterval", "parRequestUriLifespan", "realmReusableOtpCode", "shortVerificationUri", "userProfileEnabled",
        "clientOfflineSessionIdleTimeout", "clientOfflineSessionMaxLifespan", "clientSessionIdleTimeout", "clientSessionMaxLifespan",
        "organizationsEnabled", "verifiableCredentialsEnabled", "adminPermissionsEnabled", "saml.signature.algorithm", "displayName",
        "displayNameHtml", "defaultSignatureAlgorithm", "permanentLockout", "bruteForceProtected", "failureFactor",
        "maxFailureWaitSeconds", "maxDeltaTimeSeconds", "minimumQuickLoginWaitSeconds", "quickLoginCheckMilliSeconds",
        "waitIncrementSeconds", "offlineSessionMaxLifespan", "offlineSessionMaxLifespanEnabled", "client-policies.profiles",
        "client-policies.policies",
    ]

    /// Reports the attributes of the realm that were set.
    mutating func reportAttributes(_ realm: JSONObject) {
        let names = (realm["attributes"]?.objectValue ?? [:]).names.filter { name in
            !Self.usualAttributes.contains(name) && !["ciba", "_browser_header.", "webAuthnPolicy"].contains { name.hasPrefix($0) }
        }
        if !names.isEmpty { lose("attributes of the realm: \(names.joined(separator: ", "))") }
    }

    /// Reports the environment variables that Keycloak fills in when it imports a file.
    mutating func reportPlaceholders(_ realm: JSONObject) {
        var names: [String] = []
        for part in JSONValue.object(realm).serialized().split(separator: "${").dropFirst() {
            guard let end = part.firstIndex(of: "}"), let first = part.utf8.first, (0x41...0x5A).contains(first) else { continue }
            let name = String(part[..<end])
            if !names.contains(name) { names.append(name) }
        }
        guard !names.isEmpty else { return }
        lose("the values of \(names.map { "${\($0)}" }.joined(separator: ", ")), which are taken as they are; replace them first")
    }
}
