package import Policy
package import WireFormats

// What users have beside access keys. The sandbox keeps it and shows it; nothing here signs with it.

/// A key for CodeCommit. (IAM API Reference, "SSHPublicKey".)
package struct SSHPublicKey: Sendable, Codable {
    /// `APKA…`
    package var id: String
    /// As it was uploaded.
    package var body: String
    /// The numbers of the RSA key, big-endian.
    package var modulus: [UInt8]
    package var exponent: [UInt8]
    package var uploaded: Timestamp
    package var isActive: Bool

    package init(id: String, body: String, modulus: [UInt8], exponent: [UInt8], uploaded: Timestamp) {
        self.id = id
        self.body = body
        self.modulus = modulus
        self.exponent = exponent
        self.uploaded = uploaded
        isActive = true
    }
}

/// An X.509 certificate that a user signs with. (IAM API Reference, "SigningCertificate".)
package struct SigningCertificate: Sendable, Codable {
    /// 32 letters and digits.
    package var id: String
    /// PEM, as it was uploaded.
    package var body: String
    package var uploaded: Timestamp
    package var isActive: Bool

    package init(id: String, body: String, uploaded: Timestamp) {
        self.id = id
        self.body = body
        self.uploaded = uploaded
        isActive = true
    }
}

/// A name and password, or a key, for one service. (IAM API Reference, "ServiceSpecificCredential".)
package struct ServiceCredential: Sendable, Codable {
    /// `ACCA…`
    package var id: String
    /// As in `codecommit.amazonaws.com`.
    package var service: String
    package var userName: String
    package var password: String
    package var created: Timestamp
    package var expires: Timestamp?
    package var isActive: Bool

    package init(id: String, service: String, userName: String, password: String, created: Timestamp, expires: Timestamp?) {
        self.id = id
        self.service = service
        self.userName = userName
        self.password = password
        self.created = created
        self.expires = expires
        isActive = true
    }
}

/// An account's certificate for its servers. (IAM API Reference, "ServerCertificate".)
package struct ServerCertificate: Sendable, Codable {
    package var account: String
    package var name: String
    package var path: String
    /// The unique identifier, `ASCA…`.
    package var id: String
    /// PEM, as it was uploaded.
    package var body: String
    package var chain: String?
    package var privateKey: String
    package var uploaded: Timestamp
    package var expires: Timestamp
    package var tags: [Tag]

    package init(
        account: String, name: String, path: String, id: String, body: String, chain: String?, privateKey: String, uploaded: Timestamp,
        expires: Timestamp, tags: [Tag]
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.body = body
        self.chain = chain
        self.privateKey = privateKey
        self.uploaded = uploaded
        self.expires = expires
        self.tags = tags
    }

    package var arn: String { "arn:aws:iam::\(account):server-certificate\(path)\(name)" }
}

/// The state of an account's credentials at one moment. (IAM User Guide, "Generate credential reports".)
package struct CredentialReport: Sendable, Codable {
    package var generated: Timestamp
    /// Comma-separated values, a line each user.
    package var content: String

    package init(generated: Timestamp, content: String) {
        self.generated = generated
        self.content = content
    }
}
