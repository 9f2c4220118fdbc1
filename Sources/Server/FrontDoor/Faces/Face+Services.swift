import AWSIdentityFaces
import AlibabaIdentityFaces
import Calls
import CognitoFaces
import CredentialsFace
import Directory
import GatewayFace
import IdentityProviders
import MobileCloudFace
import OSSFace
import S3Face

extension S3Face: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call, bucketFromHost: place.name) }
}

/// The website of a bucket that the host names.
struct WebsiteFace: Face {
    let s3: S3Face

    func respond(to call: Call, at place: Place) async -> Response { await s3.respondAsWebsite(to: call, bucket: place.name ?? "") }
}

/// The parts of S3 that are not implemented.
struct UnavailableS3Face: Face {
    let s3: S3Face

    func respond(to call: Call, at place: Place) async -> Response { s3.respondAsUnavailable(to: call) }
}

extension OSSFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call, bucketFromHost: place.name) }
}

extension STSFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call, form: place.form) }
}

extension IAMFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call, form: place.form) }
}

extension OrganizationsFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call) }
}

extension AccountManagementFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call) }
}

extension IdentityPoolsFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call) }
}

extension UserPoolsFace: Face {
    /// The place has the name of a pool if the request is for the pool's domain.
    func respond(to call: Call, at place: Place) async -> Response {
        guard let pool = place.name else { return await respond(to: call) }
        return await respond(to: call, atDomainOf: pool, path: place.path)
    }
}

extension AlibabaRPCFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call, form: place.form) }
}

extension AppServerFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call) }
}

extension CredentialsFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call) }
}

extension MobileCloudFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call) }
}

extension GatewayFace: Face {
    func respond(to call: Call, at place: Place) async -> Response {
        await respond(to: call, service: place.name ?? "", form: place.form)
    }
}

/// The services of AWS that are not implemented. The place has the name of the service.
struct UnavailableServiceFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { UnavailableService(name: place.name ?? "").respond(to: call) }
}

extension IdentityProviderFace: Face {
    func respond(to call: Call, at place: Place) async -> Response {
        await respond(to: call, provider: place.name ?? "", path: place.path)
    }
}

extension KeycloakAdminFace: Face {
    func respond(to call: Call, at place: Place) async -> Response {
        await respond(to: call, part: place.name ?? "", path: place.path)
    }
}

/// WebFinger, which returns the issuer of a user.
struct WebFingerFace: Face {
    let identityProviders: IdentityProviderFace

    func respond(to call: Call, at place: Place) async -> Response { identityProviders.respondToWebFinger(call) }
}

extension OutboundIssuerFace: Face {
    func respond(to call: Call, at place: Place) async -> Response { await respond(to: call, issuer: place.name ?? "", path: place.path) }
}

/// A token vending machine.
struct VendingMachineFace: Face {
    let face: TokenVendingMachineFace
    let kind: VendingMachines.Kind

    func respond(to call: Call, at place: Place) async -> Response { await face.respond(to: call, machine: kind, path: place.path) }
}
