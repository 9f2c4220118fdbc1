package import Policy
package import WireFormats

// Credentials of users other than access keys. The sandbox stores and returns them, but does not authenticate with them.

/// A key for CodeCommit. (IAM API Reference, "SSHPublicKey".)
package struct SSHPublicKey: Sendable, Codable {
    /// The identifier, `APKA…`.
    package var id: String
    /// The key, as it was uploaded.
    package var body: String
    /// The modulus of the RSA key, big-endian.
    package var modulus: [UInt8]
    /// The public exponent, big-endian.
    package var exponent: [UInt8]
    /// When it was uploaded.
    package var uploaded: Timestamp
    /// Whether it can be used.
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
    /// The identifier: 32 letters and digits.
    package var id: String
    /// The certificate in PEM, as it was uploaded.
    package var body: String
    /// When it was uploaded.
    package var uploaded: Timestamp
    /// Whether it can be used.
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
    /// The identifier, `ACCA…`.
    package var id: String
    /// The service, such as `codecommit.amazonaws.com`.
    package var service: String
    /// The user name at the service.
    package var userName: String
    /// The password at the service.
    package var password: String
    /// When it was created.
    package var created: Timestamp
    /// When it expires, or `nil` if it does not.
    package var expires: Timestamp?
    /// Whether it can be used.
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

/// A server certificate of an account. (IAM API Reference, "ServerCertificate".)
package struct ServerCertificate: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `ASCA…`.
    package var id: String
    /// The certificate in PEM, as it was uploaded.
    package var body: String
    /// The certificate chain, in PEM.
    package var chain: String?
    /// The private key, in PEM.
    package var privateKey: String
    /// When it was uploaded.
    package var uploaded: Timestamp
    /// The end of its validity.
    package var expires: Timestamp
    /// The tags.
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

    /// The ARN.
    package var arn: String { "arn:aws:iam::\(account):server-certificate\(path)\(name)" }
}

/// The state of an account's credentials at one moment. (IAM User Guide, "Generate credential reports".)
package struct CredentialReport: Sendable, Codable {
    /// When the report was made.
    package var generated: Timestamp
    /// Comma-separated values, one line for each user.
    package var content: String

    package init(generated: Timestamp, content: String) {
        self.generated = generated
        self.content = content
    }
}
