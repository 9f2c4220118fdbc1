import Directory
import FoundationEssentials
import ObjectStore
import SQLite
package import WireFormats

/// An app on one device, as far as notifications can reach it.
/// (REST API for Oracle Mobile Cloud Service, "Register Mobile Client".)
package struct MobileDevice: Hashable, Sendable, Codable {
    /// A UUID, given when the device was first registered.
    package var id: String
    /// ``MobileBackend/id``
    package var backend: String
    /// The app on the device.
    package var client: Client
    /// What the notification service calls this app on this device.
    package var notificationToken: String
    /// As it was said; ``provider`` is the one that counts.
    package var notificationProvider: Provider?
    /// Who used the app when it was last registered; `nil` for nobody.
    package var user: String?
    /// When the registration last changed.
    package var modified: Timestamp

    /// An app on a device.
    package struct Client: Hashable, Sendable, Codable {
        /// `com.company.app`
        package var id: String
        /// The version of the app.
        package var version: String?
        /// The platform of the app.
        package var platform: Platform

        package init(id: String, version: String?, platform: Platform) {
            self.id = id
            self.version = version
            self.platform = platform
        }
    }

    /// The platforms that notifications reach.
    package enum Platform: String, Hashable, Sendable, Codable, CaseIterable {
        case iOS = "IOS"
        case android = "ANDROID"
        case windows = "WINDOWS"
        case web = "WEB"
    }

    /// A notification service.
    package enum Provider: String, Hashable, Sendable, Codable, CaseIterable {
        case apple = "APNS"
        case googleCloud = "GCM"
        case firebase = "FCM"
        case windows = "WNS"
        case syniverse = "SYNIVERSE"
    }

    /// The service that reaches the device: that of its platform, unless another was said.
    package var provider: Provider {
        if let notificationProvider { return notificationProvider }
        return switch client.platform {
        case .iOS: .apple
        case .android: .googleCloud
        case .windows: .windows
        case .web: .firebase
        }
    }

    package init(
        id: String, backend: String, client: Client, notificationToken: String, notificationProvider: Provider?, user: String?,
        modified: Timestamp
    ) {
        self.id = id
        self.backend = backend
        self.client = client
        self.notificationToken = notificationToken
        self.notificationProvider = notificationProvider
        self.user = user
        self.modified = modified
    }
}

extension MobileDevice {
    /// As a registration is answered.
    package var json: JSONObject {
        var client: JSONObject = ["id": .string(client.id)]
        if let version = self.client.version { client["version"] = .string(version) }
        client["platform"] = .string(self.client.platform.rawValue)
        var json: JSONObject = ["id": .string(id), "notificationToken": .string(notificationToken)]
        if let provider = notificationProvider { json["notificationProvider"] = .string(provider.rawValue) }
        json["mobileClient"] = .object(client)
        if let user { json["user"] = .string(user) }
        json["modifiedOn"] = .string(modified.iso8601Milliseconds)
        return json
    }
}

/// The devices that are registered with the backends.
package struct MobileDevices: Sendable {
    let database: Database

    /// Registers a device, or anew, when it keeps the identifier that it has.
    /// - Returns: the device as it is now, and whether it was unknown before.
    package func register(_ device: MobileDevice) async throws -> (device: MobileDevice, isNew: Bool) {
        try await database.write { connection in
            var device = device
            let known = try MobileDeviceRecords.find(device, in: connection)
            if let known { device.id = known.id }
            try MobileDeviceRecords.put(device, into: connection)
            return (device, known == nil)
        }
    }

    /// - Returns: whether there was such a device.
    package func deregister(
        client: String, platform: MobileDevice.Platform, notificationToken: String, backend: String
    ) async throws -> Bool {
        try await database.write { connection in
            try connection.run(
                MobileDeviceStatement.delete.rawValue, .text(backend), .text(client), .text(platform.rawValue), .text(notificationToken))
                > 0
        }
    }

    /// Those of one backend, by app, platform and token.
    package func all(of backend: String) throws -> [MobileDevice] {
        try database.read { connection in try MobileDeviceRecords.all(of: backend, in: connection) }
    }
}

/// The statements on devices of mobile backends.
enum MobileDeviceStatement: String, CaseIterable {
    case put = "INSERT OR REPLACE INTO mobile_devices(backend, client, platform, token, document) VALUES (?1, ?2, ?3, ?4, ?5)"
    case find = "SELECT document FROM mobile_devices WHERE backend = ?1 AND client = ?2 AND platform = ?3 AND token = ?4"
    case delete = "DELETE FROM mobile_devices WHERE backend = ?1 AND client = ?2 AND platform = ?3 AND token = ?4"
    case ofBackend = "SELECT document FROM mobile_devices WHERE backend = ?1 ORDER BY client, platform, token"
}

/// The table `mobile_devices`.
enum MobileDeviceRecords {
    static func put(_ device: MobileDevice, into connection: Connection) throws {
        let document = String(decoding: try JSONEncoder().encode(device), as: UTF8.self)
        try connection.run(
            MobileDeviceStatement.put.rawValue, .text(device.backend), .text(device.client.id), .text(device.client.platform.rawValue),
            .text(device.notificationToken),
            .text(document))
    }

    /// The same app on the same device, as it was registered before.
    static func find(_ device: MobileDevice, in connection: Connection) throws -> MobileDevice? {
        try connection.first(
            MobileDeviceStatement.find.rawValue, .text(device.backend), .text(device.client.id), .text(device.client.platform.rawValue),
            .text(device.notificationToken)
        ) { row in
            try JSONDecoder().decode(MobileDevice.self, from: Data(row.text(0).utf8))
        }
    }

    static func all(of backend: String, in connection: Connection) throws -> [MobileDevice] {
        let decoder = JSONDecoder()
        return try connection.all(MobileDeviceStatement.ofBackend.rawValue, .text(backend)) { row in
            try decoder.decode(MobileDevice.self, from: Data(row.text(0).utf8))
        }
    }
}
