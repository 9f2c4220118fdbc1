package import WireFormats

/// An app that uses a user pool. (Amazon Cognito User Pools API Reference, `UserPoolClientType`.)
package struct UserPoolClient: Sendable, Codable {
    /// A validity in the unit that the client chose.
    package struct Validity: Sendable, Codable, Hashable {
        /// The units. The raw value is that of `TokenValidityUnits`.
        package enum Unit: String, Sendable, Codable, CaseIterable {
            case seconds, minutes, hours, days

            /// The number of seconds of one unit.
            package var seconds: Int {
                switch self {
                case .seconds: 1
                case .minutes: 60
                case .hours: 3600
                case .days: 86_400
                }
            }
        }

        /// The number of units.
        package var count: Int
        /// The unit.
        package var unit: Unit

        package init(_ count: Int, _ unit: Unit) {
            self.count = count
            self.unit = unit
        }

        /// The duration.
        package var duration: Duration { .seconds(count * unit.seconds) }
    }

    /// The identifier, unique among all pools.
    package var id: String
    /// The identifier of the pool.
    package var pool: String
    /// The name, which need not be unique.
    package var name: String
    /// The secret; `nil` for a public client.
    package var secret: String?
    /// When the client was created.
    package var created: Timestamp
    /// When the client was last changed.
    package var modified: Timestamp
    /// The flows that the client can use, as `ExplicitAuthFlows` names them; empty for the usual ones.
    package var flows: [String] = []
    /// The validity of access tokens; `nil` for one hour.
    package var accessTokenValidity: Validity?
    /// The validity of ID tokens; `nil` for one hour.
    package var idTokenValidity: Validity?
    /// The validity of refresh tokens.
    package var refreshTokenValidity = Validity(30, .days)
    /// The number of minutes for which a challenge can be answered, 3 to 15.
    package var sessionMinutes = 3
    /// Whether an unknown user and a wrong password have the same error.
    package var hidesUnknownUsers = false
    /// Whether refresh tokens can be revoked.
    package var allowsRevocation = true
    /// The seconds for which a rotated refresh token is still accepted, 0 to 60; `nil` if refresh tokens are not rotated.
    package var rotationGrace: Int?
    /// The attributes that the app can read; `nil` for all.
    package var readable: [String]?
    /// The attributes that the app can write; `nil` for all that people can change.
    package var writable: [String]?
    /// The settings for hosted pages; `nil` if there are none. ``oauthSettings`` has them in any case.
    package var oauth: OAuth?

    package init(id: String, pool: String, name: String, secret: String? = nil, created: Timestamp) {
        self.id = id
        self.pool = pool
        self.name = name
        self.secret = secret
        self.created = created
        modified = created
    }

    /// Returns whether the client can use a flow.
    ///
    /// A client with names without `ALLOW_` always refreshes, and signs in by SRP unless it has custom flows only. (Tests of moto that were run
    /// against AWS.)
    /// - Parameter flow: without `ALLOW_`, such as `USER_SRP_AUTH`.
    package func allows(_ flow: String) -> Bool {
        guard !flows.isEmpty else { return Self.usualFlows.contains(flow) }
        guard !flows.contains(where: { $0.hasPrefix("ALLOW_") }) else { return flows.contains("ALLOW_" + flow) }
        return switch flow {
        case "REFRESH_TOKEN_AUTH": true
        case "USER_SRP_AUTH": !flows.contains("CUSTOM_AUTH_FLOW_ONLY")
        case "ADMIN_USER_PASSWORD_AUTH": flows.contains("ADMIN_NO_SRP_AUTH")
        case "CUSTOM_AUTH": flows.contains("CUSTOM_AUTH_FLOW_ONLY")
        default: flows.contains(flow)
        }
    }

    /// The flows of a client that names none.
    package static let usualFlows = ["REFRESH_TOKEN_AUTH", "USER_SRP_AUTH", "CUSTOM_AUTH"]

    /// The values of `ExplicitAuthFlows`.
    package static let flowNames = [
        "ADMIN_NO_SRP_AUTH", "CUSTOM_AUTH_FLOW_ONLY", "USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH",
        "ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_AUTH",
    ]

    /// Returns whether the app can read an attribute.
    package func reads(_ attribute: String) -> Bool { attribute == "sub" || (readable.map { $0.contains(attribute) } ?? true) }

    /// Returns whether the app can write an attribute.
    package func writes(_ attribute: String) -> Bool { writable.map { $0.contains(attribute) } ?? true }

    /// The validity of access tokens.
    package var accessTokenDuration: Duration { accessTokenValidity?.duration ?? .seconds(3600) }

    /// The validity of ID tokens.
    package var idTokenDuration: Duration { idTokenValidity?.duration ?? .seconds(3600) }
}
