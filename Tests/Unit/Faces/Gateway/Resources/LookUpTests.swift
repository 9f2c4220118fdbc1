import GatewayFace
import HTTPTypes
import ServiceModels
import Testing
import WireFormats

@Suite("Looking up resources")
struct LookUpTests {
    private static let secrets = "arn:aws:secretsmanager:eu-west-1:111122223333:secret"

    @Test("G12: the key of an alias")
    func key() throws {
        let alias = "arn:aws:kms:eu-west-1:111122223333:alias/app"
        let lookUp = try #require(LookUp(.keyOfAlias(alias)))
        #expect(lookUp.service == "kms")
        #expect(lookUp.target == "TrentService.DescribeKey")
        #expect(lookUp.request.fields[.contentType] == "application/x-amz-json-1.1")
        #expect(lookUp.owner == "111122223333")
        #expect(lookUp.body == ["KeyId": .string(alias)])
        #expect(
            lookUp.result(in: ["KeyMetadata": ["Arn": "arn:aws:kms:eu-west-1:111122223333:key/k"]])
                == "arn:aws:kms:eu-west-1:111122223333:key/k")
        #expect(lookUp.result(in: ["__type": "NotFoundException"]) == nil)
        #expect(lookUp.absent == alias)
    }

    @Test("G12: the stored ARN of a secret, by its name or its ARN")
    func secret() throws {
        let byName = try #require(LookUp(.secret("\(Self.secrets):db", id: "db")))
        #expect(byName.body == ["SecretId": "db"])
        #expect(byName.result(in: ["ARN": .string("\(Self.secrets):db-AbCdEf"), "Name": "db"]) == "\(Self.secrets):db-AbCdEf")
        let byARN = try #require(LookUp(.secret("\(Self.secrets):db-AbCdEf", id: "\(Self.secrets):db-AbCdEf")))
        #expect(byARN.body == ["SecretId": .string("\(Self.secrets):db-AbCdEf")])
    }

    @Test("G16: the partition key of a table")
    func partitionKey() {
        let lookUp = LookUp.partitionKey(table: "orders", index: nil)
        #expect(lookUp.request.fields[.contentType] == "application/x-amz-json-1.0")
        #expect(
            lookUp.result(
                in: [
                    "Table": [
                        "KeySchema": [
                            ["AttributeName": "day", "KeyType": "RANGE"], ["AttributeName": "customer", "KeyType": "HASH"],
                        ]
                    ]
                ]) == "customer")
    }

    @Test("G16: the partition key of an index is its own")
    func partitionKeyOfIndex() {
        let table = GatewayOfATest.arn("dynamodb:@:table/orders")
        let lookUps = LookUp.partitionKeys(of: [
            RequiredPermission("dynamodb:Query", on: .known("\(table)/index/by-day")),
            RequiredPermission("dynamodb:Query", on: .known("\(table)/index/by-day")),
            RequiredPermission("dynamodb:GetItem", on: .known(table)),
        ])
        let owner = GatewayOfATest.account
        #expect(
            lookUps == [
                .partitionKey(table: "orders", index: "by-day", owner: owner), .partitionKey(table: "orders", index: nil, owner: owner),
            ])
        func keys(_ name: String) -> JSONValue { [["AttributeName": .string(name), "KeyType": "HASH"]] }
        let response: JSONValue = [
            "Table": [
                "KeySchema": keys("customer"),
                "GlobalSecondaryIndexes": [
                    ["IndexName": "by-name", "KeySchema": keys("name")], ["IndexName": "by-day", "KeySchema": keys("day")],
                ],
            ]
        ]
        #expect(lookUps.map { $0.result(in: response) } == ["day", "customer"])
    }

    @Test("a known resource needs none")
    func known() { #expect(LookUp(.known("*")) == nil) }
}
