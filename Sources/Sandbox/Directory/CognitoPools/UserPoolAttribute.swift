import WireFormats

/// An attribute of the people of a user pool. (Amazon Cognito User Pools API Reference, `SchemaAttributeType`.)
package struct UserPoolAttribute: Sendable, Codable, Hashable {
    /// The types of values. The raw value is that of `AttributeDataType`.
    package enum DataType: String, Sendable, Codable, CaseIterable {
        case string = "String"
        case number = "Number"
        case dateTime = "DateTime"
        case boolean = "Boolean"
    }

    /// The name; that of an attribute of the pool itself begins with `custom:`.
    package var name: String
    /// The type of values.
    package var type: DataType
    /// Whether the value can change after the person is created.
    package var isMutable: Bool
    /// Whether each person must have a value.
    package var isRequired: Bool
    /// The least length or value as text; `nil` without one.
    package var least: String?
    /// The greatest length or value as text; `nil` without one.
    package var greatest: String?

    package init(
        name: String, type: DataType = .string, isMutable: Bool = true, isRequired: Bool = false, least: String? = nil,
        greatest: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isMutable = isMutable
        self.isRequired = isRequired
        self.least = least
        self.greatest = greatest
    }

    /// The beginning of the names of attributes that a pool adds.
    package static let customPrefix = "custom:"

    /// The standard attributes of every pool, in the order of the service.
    package static let standard: [UserPoolAttribute] = {
        func text(_ name: String) -> UserPoolAttribute { UserPoolAttribute(name: name, least: "0", greatest: "2048") }
        func flag(_ name: String) -> UserPoolAttribute { UserPoolAttribute(name: name, type: .boolean) }
        return [
            UserPoolAttribute(name: "sub", isMutable: false, isRequired: true, least: "1", greatest: "2048"), text("name"),
            text("given_name"), text("family_name"), text("middle_name"), text("nickname"), text("preferred_username"), text("profile"),
            text("picture"), text("website"), text("email"), flag("email_verified"), text("gender"),
            UserPoolAttribute(name: "birthdate", least: "10", greatest: "10"), text("zoneinfo"), text("locale"), text("phone_number"),
            flag("phone_number_verified"), text("address"), UserPoolAttribute(name: "updated_at", type: .number, least: "0"),
        ]
    }()

    /// The attributes that are addresses of the person.
    package static let addresses = ["email", "phone_number"]

    /// The standard attributes that only an administrator and the service itself change.
    package static let verified = ["email_verified", "phone_number_verified"]
}
