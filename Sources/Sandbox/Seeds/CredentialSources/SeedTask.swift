package import Directory
import WireFormats

extension ContainerTask {
    /// ECS tasks in seeds.
    package static let record = SeedRecord<ContainerTask>(
        "ECS task", blank: ContainerTask(account: "", id: "", role: ""),
        fields: [
            .required("id", \.id, idCodec, "The ID of the task: 32 hexadecimal digits."),
            .required("role", \.role, Codec.nonempty("the name of a role of the account"), "The name of the task role."),
            .defaulted("cluster", \.cluster, Codec.nonempty("the name of a cluster"), "The name of the cluster; default by default."),
            .defaulted("region", \.region, Codec.nonempty("a region"), "The region; us-east-1 by default."),
            .optional(
                "authorizationToken", \.authorizationToken, Codec.nonempty("the value of a header"),
                "The value that clients must send in Authorization. Without it, only clients of this machine are served."),
        ])

    private static let idCodec = Codec.form(
        .pattern("^[0-9a-f]{32}$"), expecting: "the ID of a task, 32 hexadecimal digits in lower case"
    ) { $0.utf8.count == 32 && isHexadecimal($0) }

    /// Returns the task of a seed as a record of an account.
    func placed(in account: String) -> ContainerTask {
        var task = self
        task.account = account
        return task
    }
}
