import Directory
import Seeds
import Tokens
import WireFormats

extension SeedExport {
    /// Exports an identity provider with its clients and people.
    static func provider(_ provider: IdentityProvider) throws -> JSONObject {
        var json: JSONObject = ["name": .string(provider.name)]
        json["tokenLifetime"] = .integer(Int64(provider.tokenLifetime))
        if !provider.kind.isSocial {
            json.add(text: provider.issuer, as: "issuer")
            json.add(text: provider.accessTokenFormat?.rawValue, as: "accessTokenFormat")
            json.add(text: provider.initialAccessToken, as: "initialAccessToken")
            if let required = provider.requiresDPoPNonce { json["requiresDPoPNonce"] = .bool(required) }
            json.add(text: provider.signingAlgorithm?.rawValue, as: "signingAlgorithm")
            if let origins = provider.origins {
                var object = JSONObject()
                object.add(text: origins.issuer, as: "issuer")
                object.add(text: origins.browser, as: "browser")
                object.add(text: origins.backChannel, as: "backChannel")
                json["origins"] = .object(object)
            }
            if let saml = provider.saml { json["saml"] = .object(self.saml(saml)) }
        }
        json.add("clients", try provider.clients.map { .object(try Client.record.json(of: $0)) })
        json.add("people", try provider.people.map { .object(try Person.record.json(of: $0)) })
        return json
    }

    private static func saml(_ saml: SAMLIdentityProvider) -> JSONObject {
        var json: JSONObject = ["wantsSignedRequests": .bool(saml.wantsSignedRequests), "signsMetadata": .bool(saml.signsMetadata)]
        json.add(text: saml.entityID, as: "entityID")
        json.add("serviceProviders", saml.serviceProviders.map { .object(serviceProvider($0)) })
        return json
    }

    private static func serviceProvider(_ provider: ServiceProvider) -> JSONObject {
        var json: JSONObject = ["entityID": .string(provider.entityID), "name": .string(provider.name)]
        json.add(
            "assertionConsumerServices",
            provider.assertionConsumerServices.map { service in
                var object: JSONObject = [
                    "location": .string(service.location), "binding": .string(service.binding.rawValue),
                    "index": .integer(Int64(service.index)),
                ]
                if let isDefault = service.isDefault { object["isDefault"] = .bool(isDefault) }
                return .object(object)
            })
        json.add(
            "singleLogoutServices",
            provider.singleLogoutServices.map { service in
                var object: JSONObject = ["location": .string(service.location), "binding": .string(service.binding.rawValue)]
                object.add(text: service.responseLocation, as: "responseLocation")
                return .object(object)
            })
        json.add("nameIDFormats", provider.nameIDFormats.map { .string($0.rawValue) })
        json.add(text: provider.nameIDClaim, as: "nameIDClaim")
        if let attributes = provider.attributes { json["attributes"] = .array(attributes.map { .object(attribute($0)) }) }
        json["signs"] = .array(provider.signedParts.map(\.rawValue).sorted().map { .string($0) })
        json["signatureHash"] = .string(provider.signatureHash.rawValue)
        if let encryption = provider.encryption {
            json["encryption"] = [
                "certificate": .string(encryption.certificate), "content": .string(lastPart(encryption.content.rawValue)),
                "keyTransport": .string(lastPart(encryption.keyTransport.rawValue)),
            ]
        }
        json.add("signingCertificates", provider.signingCertificates.map { .string($0) })
        json["requiresSignedRequests"] = .bool(provider.signsRequests)
        json["assertionLifetime"] = .integer(Int64(provider.assertionLifetime))
        if let lifetime = provider.sessionLifetime { json["sessionLifetime"] = .integer(Int64(lifetime)) }
        return json
    }

    private static func attribute(_ mapping: AttributeMapping) -> JSONObject {
        var json: JSONObject = ["name": .string(mapping.name), "nameFormat": .string(mapping.nameFormat.rawValue)]
        json.add(text: mapping.friendlyName, as: "friendlyName")
        json.add(text: mapping.claim, as: "claim")
        // Without a claim, the list of values is required. With a claim, the values are for people who do not have it.
        if mapping.claim == nil || !mapping.values.isEmpty { json["values"] = .array(mapping.values.map { .string($0) }) }
        return json
    }

    private static func lastPart(_ identifier: String) -> String { identifier.split(separator: "#").last.map { String($0) } ?? identifier }
}
