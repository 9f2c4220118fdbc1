import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

/// The headers of a request that ask for a list of access control, before anybody looks up whom they name.
struct AccessControlFields: Sendable {
    /// `x-amz-acl`; `nil` if the request has none.
    var canned: String?
    /// Each value of the headers that grant a permission.
    var grants: [(name: HTTPField.Name, permission: AccessControlList.Permission, value: String)] = []
    /// Whether the request has none of these headers, known or not.
    var isEmpty: Bool

    init(_ headers: HTTPFields) {
        isEmpty = !headers.contains { $0.name.isAccessControl }
        guard !isEmpty else { return }
        canned = headers[.cannedACL]
        for (name, permission) in Self.permissions {
            for value in headers[values: name] { grants.append((name, permission, value)) }
        }
    }

    private static let permissions: [(name: HTTPField.Name, permission: AccessControlList.Permission)] = [
        (.grantRead, .read), (.grantWrite, .write), (.grantReadACP, .readACP), (.grantWriteACP, .writeACP),
        (.grantFullControl, .fullControl),
    ]
}

/// What the headers of a request say of a list of access control. (S3 API Reference, PutObjectAcl, "Request headers".)
enum AccessControlHeaders {
    case none
    case canned(CannedAccessControl)
    case grants([AccessControlList.Grant])

    /// - Throws: `InvalidRequest` for a canned list beside grants, `InvalidArgument`, and what ``GranteeReader`` finds.
    init(_ fields: AccessControlFields, _ reader: GranteeReader) throws(S3Error) {
        var grants: [AccessControlList.Grant] = []
        for grant in fields.grants {
            grants += try Self.grantees(in: grant.value, of: grant.name, reader).map { AccessControlList.Grant($0, grant.permission) }
        }
        guard let name = fields.canned else {
            self = fields.grants.isEmpty ? .none : .grants(grants)
            return
        }
        guard fields.grants.isEmpty else {
            throw S3Error(.invalidRequest, "Specifying both Canned ACLs and Header Grants is not allowed")
        }
        self = .canned(try CannedAccessControl(named: name))
    }

    /// Reads `id="…", uri="…", emailAddress="…"`; the quotes may be left out.
    private static func grantees(
        in value: String, of name: HTTPField.Name, _ reader: GranteeReader
    ) throws(S3Error) -> [AccessControlList.Grantee] {
        var grantees: [AccessControlList.Grantee] = []
        for part in value.split(separator: ",") {
            let text = part.trimming(" ")
            let pair = text.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else {
                throw .invalidArgument("Argument format not recognized", name: name.canonicalName, value: String(text))
            }
            let named = String(pair[1].trimming(" ").trimming("\""))
            switch pair[0].trimming(" ") {
            case "id": grantees.append(try reader.canonicalUser(named, "id"))
            case "uri": grantees.append(try reader.group(named, "uri"))
            case "emailAddress": grantees.append(try reader.mail(named))
            default: throw .invalidArgument("Argument format not recognized", name: name.canonicalName, value: String(text))
            }
        }
        return grantees
    }

    /// Returns the ACL that the headers specify.
    /// - Parameters:
    ///   - owner: canonical user ID of the owner of the bucket or object.
    ///   - bucketOwner: canonical user ID of the owner of the bucket that contains the object; `nil` for a bucket's own ACL.
    /// - Returns: `nil` if the headers specify no ACL, or only full control for the owner.
    func list(owner: String, bucketOwner: String?) -> AccessControlList? {
        let list: AccessControlList
        switch self {
        case .none: return nil
        case .canned(let canned): list = canned.list(owner: owner, bucketOwner: bucketOwner)
        case .grants(let grants): list = AccessControlList(grants: grants)
        }
        return list.isPrivate(to: owner) ? nil : list
    }
}

extension AccessControlList {
    /// Whether the ACL equals the default: full control for the owner and no other grants.
    func isPrivate(to owner: String) -> Bool { grants == [Grant(.canonicalUser(owner), .fullControl)] }

    var isPublic: Bool { grants.contains(where: \.isPublic) }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring {
        var text = self
        while text.first == character { text.removeFirst() }
        while text.last == character { text.removeLast() }
        return text
    }
}
