extension AWSManagedPolicy {
    /// Policies for storage, databases and analytics. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let storage1: [AWSManagedPolicy] = [
        .init(
            "AmazonAthenaFullAccess", path: "/", version: 15, created: 1480524361, updated: 1770919389,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "BaseAthenaPermissions", "Effect": "Allow", "Action": ["athena:*"],
             "Resource": ["*"]}, {"Sid": "BaseGluePermissions", "Effect": "Allow", "Action": ["glue:CreateDatabase",
             "glue:DeleteDatabase", "glue:GetCatalog", "glue:GetCatalogs", "glue:GetDatabase", "glue:GetDatabases", "glue:UpdateDatabase",
             "glue:CreateTable", "glue:DeleteTable", "glue:BatchDeleteTable", "glue:UpdateTable", "glue:GetTable", "glue:GetTables",
             "glue:BatchCreatePartition", "glue:CreatePartition", "glue:DeletePartition", "glue:BatchDeletePartition",
             "glue:UpdatePartition", "glue:GetPartition", "glue:GetPartitions", "glue:BatchGetPartition",
             "glue:StartColumnStatisticsTaskRun", "glue:GetColumnStatisticsTaskRun", "glue:GetColumnStatisticsTaskRuns",
             "glue:GetCatalogImportStatus"], "Resource": ["*"]}, {"Sid": "BaseQueryResultsPermissions", "Effect": "Allow", "Action":
             ["s3:GetBucketLocation", "s3:GetObject", "s3:ListBucket", "s3:ListBucketMultipartUploads", "s3:ListMultipartUploadParts",
             "s3:AbortMultipartUpload", "s3:CreateBucket", "s3:PutObject", "s3:PutBucketPublicAccessBlock"], "Resource":
             ["arn:aws:s3:::aws-athena-query-results-*"]}, {"Sid": "BaseAthenaExamplesPermissions", "Effect": "Allow", "Action":
             ["s3:GetObject", "s3:ListBucket"], "Resource": ["arn:aws:s3:::athena-examples*"]}, {"Sid": "BaseS3BucketPermissions",
             "Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetBucketLocation", "s3:ListAllMyBuckets"], "Resource": ["*"]}, {"Sid":
             "BaseSNSPermissions", "Effect": "Allow", "Action": ["sns:ListTopics", "sns:GetTopicAttributes"], "Resource": ["*"]}, {"Sid":
             "BaseCloudWatchPermissions", "Effect": "Allow", "Action": ["cloudwatch:PutMetricAlarm", "cloudwatch:DescribeAlarms",
             "cloudwatch:DeleteAlarms", "cloudwatch:GetMetricData"], "Resource": ["*"]}, {"Sid": "BaseLakeFormationPermissions", "Effect":
             "Allow", "Action": ["lakeformation:GetDataAccess"], "Resource": ["*"]}, {"Sid": "BaseDataZonePermissions", "Effect": "Allow",
             "Action": ["datazone:ListDomains", "datazone:ListProjects", "datazone:ListAccountEnvironments"], "Resource": ["*"]}, {"Sid":
             "BasePricingPermissions", "Effect": "Allow", "Action": ["pricing:GetProducts"], "Resource": ["*"]}]}
            """#),
        .init(
            "AmazonDMSCloudWatchLogsRole", path: "/service-role/", version: 2, created: 1452210293, updated: 1684877577,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AllowDescribeOnAllLogGroups", "Effect": "Allow", "Action":
             ["logs:DescribeLogGroups"], "Resource": ["*"]}, {"Sid": "AllowDescribeOfAllLogStreamsOnDmsTasksLogGroup", "Effect": "Allow",
             "Action": ["logs:DescribeLogStreams"], "Resource": ["arn:aws:logs:*:*:log-group:dms-tasks-*",
             "arn:aws:logs:*:*:log-group:dms-serverless-replication-*"]}, {"Sid": "AllowCreationOfDmsLogGroups", "Effect": "Allow",
             "Action": ["logs:CreateLogGroup"], "Resource": ["arn:aws:logs:*:*:log-group:dms-tasks-*",
             "arn:aws:logs:*:*:log-group:dms-serverless-replication-*:log-stream:"]}, {"Sid": "AllowCreationOfDmsLogStream", "Effect":
             "Allow", "Action": ["logs:CreateLogStream"], "Resource": ["arn:aws:logs:*:*:log-group:dms-tasks-*:log-stream:dms-task-*",
             "arn:aws:logs:*:*:log-group:dms-serverless-replication-*:log-stream:dms-serverless-*"]}, {"Sid":
             "AllowUploadOfLogEventsToDmsLogStream", "Effect": "Allow", "Action": ["logs:PutLogEvents"], "Resource":
             ["arn:aws:logs:*:*:log-group:dms-tasks-*:log-stream:dms-task-*",
             "arn:aws:logs:*:*:log-group:dms-serverless-replication-*:log-stream:dms-serverless-*"]}]}
            """#),
        .init(
            "AmazonDMSVPCManagementRole", path: "/service-role/", version: 4, created: 1447864399, updated: 1721920741,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "Statement1", "Effect": "Allow", "Action": ["ec2:CreateNetworkInterface",
             "ec2:DeleteNetworkInterface", "ec2:DescribeAvailabilityZones", "ec2:DescribeDhcpOptions", "ec2:DescribeInternetGateways",
             "ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcs",
             "ec2:ModifyNetworkInterfaceAttribute"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonDynamoDBFullAccess", path: "/", version: 15, created: 1423248011, updated: 1611941910,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["dynamodb:*", "dax:*",
             "application-autoscaling:DeleteScalingPolicy", "application-autoscaling:DeregisterScalableTarget",
             "application-autoscaling:DescribeScalableTargets", "application-autoscaling:DescribeScalingActivities",
             "application-autoscaling:DescribeScalingPolicies", "application-autoscaling:PutScalingPolicy",
             "application-autoscaling:RegisterScalableTarget", "cloudwatch:DeleteAlarms", "cloudwatch:DescribeAlarmHistory",
             "cloudwatch:DescribeAlarms", "cloudwatch:DescribeAlarmsForMetric", "cloudwatch:GetMetricStatistics",
             "cloudwatch:ListMetrics", "cloudwatch:PutMetricAlarm", "cloudwatch:GetMetricData", "datapipeline:ActivatePipeline",
             "datapipeline:CreatePipeline", "datapipeline:DeletePipeline", "datapipeline:DescribeObjects",
             "datapipeline:DescribePipelines", "datapipeline:GetPipelineDefinition", "datapipeline:ListPipelines",
             "datapipeline:PutPipelineDefinition", "datapipeline:QueryObjects", "ec2:DescribeVpcs", "ec2:DescribeSubnets",
             "ec2:DescribeSecurityGroups", "iam:GetRole", "iam:ListRoles", "kms:DescribeKey", "kms:ListAliases", "sns:CreateTopic",
             "sns:DeleteTopic", "sns:ListSubscriptions", "sns:ListSubscriptionsByTopic", "sns:ListTopics", "sns:Subscribe",
             "sns:Unsubscribe", "sns:SetTopicAttributes", "lambda:CreateFunction", "lambda:ListFunctions",
             "lambda:ListEventSourceMappings", "lambda:CreateEventSourceMapping", "lambda:DeleteEventSourceMapping",
             "lambda:GetFunctionConfiguration", "lambda:DeleteFunction", "resource-groups:ListGroups",
             "resource-groups:ListGroupResources", "resource-groups:GetGroup", "resource-groups:GetGroupQuery",
             "resource-groups:DeleteGroup", "resource-groups:CreateGroup", "tag:GetResources", "kinesis:ListStreams",
             "kinesis:DescribeStream", "kinesis:DescribeStreamSummary"], "Resource": "*"}, {"Effect": "Allow", "Action":
             "cloudwatch:GetInsightRuleReport", "Resource": "arn:aws:cloudwatch:*:*:insight-rule/DynamoDBContributorInsights*"},
             {"Effect": "Allow", "Action": ["iam:PassRole"], "Resource": "*", "Condition": {"StringLike": {"iam:PassedToService":
             ["application-autoscaling.amazonaws.com", "application-autoscaling.amazonaws.com.cn", "dax.amazonaws.com"]}}}, {"Effect":
             "Allow", "Action": ["iam:CreateServiceLinkedRole"], "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             ["replication.dynamodb.amazonaws.com", "dax.amazonaws.com", "dynamodb.application-autoscaling.amazonaws.com",
             "contributorinsights.dynamodb.amazonaws.com", "kinesisreplication.dynamodb.amazonaws.com"]}}}]}
            """#),
        .init(
            "AmazonDynamoDBFullAccess_v2", path: "/", version: 3, created: 1747925526, updated: 1770919377,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "DDBAndDAXFullAccess", "Effect": "Allow", "Action": ["dynamodb:*", "dax:*"],
             "Resource": "*"}, {"Sid": "KMSIntegration", "Effect": "Allow", "Action": ["kms:DescribeKey", "kms:ListAliases"], "Resource":
             "*"}, {"Sid": "LambdaIntegration", "Effect": "Allow", "Action": ["lambda:ListEventSourceMappings", "lambda:ListFunctions"],
             "Resource": "*"}, {"Sid": "DaxSNSIntegration", "Effect": "Allow", "Action": ["sns:ListTopics"], "Resource": "*"}, {"Sid":
             "ApplicationAutoscalingIntegration", "Effect": "Allow", "Action": ["application-autoscaling:DeleteScalingPolicy",
             "application-autoscaling:DeregisterScalableTarget", "application-autoscaling:PutScalingPolicy",
             "application-autoscaling:RegisterScalableTarget"], "Resource": "*", "Condition": {"StringEquals":
             {"application-autoscaling:service-namespace": "dynamodb"}}}, {"Sid": "ApplicationAutoscalingDescribeActions", "Effect":
             "Allow", "Action": ["application-autoscaling:DescribeScalableTargets", "application-autoscaling:DescribeScalingActivities",
             "application-autoscaling:DescribeScalingPolicies"], "Resource": "*"}, {"Sid": "TagManagement", "Effect": "Allow", "Action":
             ["tag:GetResources"], "Resource": "*"}, {"Sid": "CloudwatchMonitoring", "Effect": "Allow", "Action":
             ["cloudwatch:DescribeAlarms", "cloudwatch:GetMetricStatistics", "cloudwatch:GetMetricData"], "Resource": "*"}, {"Sid":
             "ListKinesisResources", "Effect": "Allow", "Action": ["kinesis:ListStreams", "kinesis:DescribeStream",
             "kinesis:DescribeStreamSummary"], "Resource": "*"}, {"Sid": "ListEC2ResourcesForDaxClusterCreation", "Effect": "Allow",
             "Action": ["ec2:DescribeVpcs", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups"], "Resource": "*"}, {"Sid":
             "CloudwatchInsightsRules", "Effect": "Allow", "Action": "cloudwatch:GetInsightRuleReport", "Resource":
             "arn:aws:cloudwatch:*:*:insight-rule/DynamoDBContributorInsights*"}, {"Sid": "ServiceRoleCreation", "Effect": "Allow",
             "Action": ["iam:CreateServiceLinkedRole"], "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             ["replication.dynamodb.amazonaws.com", "dax.amazonaws.com", "dynamodb.application-autoscaling.amazonaws.com",
             "contributorinsights.dynamodb.amazonaws.com", "kinesisreplication.dynamodb.amazonaws.com"]}}}, {"Sid": "IamIntegration",
             "Effect": "Allow", "Action": ["iam:ListRoles"], "Resource": ["*"]}]}
            """#),
        .init(
            "AmazonDynamoDBReadOnlyAccess", path: "/", version: 15, created: 1423248012, updated: 1731951495,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "GeneralReadOnlyAccess", "Effect": "Allow", "Action":
             ["application-autoscaling:DescribeScalableTargets", "application-autoscaling:DescribeScalingActivities",
             "application-autoscaling:DescribeScalingPolicies", "cloudwatch:DescribeAlarmHistory", "cloudwatch:DescribeAlarms",
             "cloudwatch:DescribeAlarmsForMetric", "cloudwatch:GetMetricStatistics", "cloudwatch:ListMetrics", "cloudwatch:GetMetricData",
             "datapipeline:DescribeObjects", "datapipeline:DescribePipelines", "datapipeline:GetPipelineDefinition",
             "datapipeline:ListPipelines", "datapipeline:QueryObjects", "dynamodb:BatchGetItem", "dynamodb:Describe*", "dynamodb:List*",
             "dynamodb:GetAbacStatus", "dynamodb:GetItem", "dynamodb:GetResourcePolicy", "dynamodb:Query", "dynamodb:Scan",
             "dynamodb:PartiQLSelect", "dax:Describe*", "dax:List*", "dax:GetItem", "dax:BatchGetItem", "dax:Query", "dax:Scan",
             "ec2:DescribeVpcs", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "iam:GetRole", "iam:ListRoles", "kms:DescribeKey",
             "kms:ListAliases", "sns:ListSubscriptionsByTopic", "sns:ListTopics", "lambda:ListFunctions",
             "lambda:ListEventSourceMappings", "lambda:GetFunctionConfiguration", "resource-groups:ListGroups",
             "resource-groups:ListGroupResources", "resource-groups:GetGroup", "resource-groups:GetGroupQuery", "tag:GetResources",
             "kinesis:ListStreams", "kinesis:DescribeStream", "kinesis:DescribeStreamSummary"], "Resource": "*"}, {"Sid": "CCIAccess",
             "Effect": "Allow", "Action": "cloudwatch:GetInsightRuleReport", "Resource":
             "arn:aws:cloudwatch:*:*:insight-rule/DynamoDBContributorInsights*"}]}
            """#),
        .init(
            "AmazonElastiCacheFullAccess", path: "/", version: 3, created: 1423248020, updated: 1701143396,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "ElastiCacheManagementActions", "Effect": "Allow", "Action": "elasticache:*",
             "Resource": "*"}, {"Sid": "CreateServiceLinkedRole", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/elasticache.amazonaws.com/AWSServiceRoleForElastiCache", "Condition": {"StringLike":
             {"iam:AWSServiceName": "elasticache.amazonaws.com"}}}, {"Sid": "CreateVPCEndpoints", "Effect": "Allow", "Action":
             "ec2:CreateVpcEndpoint", "Resource": "arn:aws:ec2:*:*:vpc-endpoint/*", "Condition": {"StringLike": {"ec2:VpceServiceName":
             "com.amazonaws.elasticache.serverless.*"}}}, {"Sid": "AllowAccessToElastiCacheTaggedVpcEndpoints", "Effect": "Allow",
             "Action": ["ec2:CreateVpcEndpoint"], "NotResource": "arn:aws:ec2:*:*:vpc-endpoint/*"}, {"Sid": "TagVPCEndpointsOnCreation",
             "Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource": "arn:aws:ec2:*:*:vpc-endpoint/*", "Condition": {"StringEquals":
             {"aws:RequestTag/AmazonElastiCacheManaged": "true", "ec2:CreateAction": "CreateVpcEndpoint"}}}, {"Sid": "AllowAccessToEc2",
             "Effect": "Allow", "Action": ["ec2:DescribeVpcs", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups"], "Resource": "*"},
             {"Sid": "AllowAccessToKMS", "Effect": "Allow", "Action": ["kms:DescribeKey", "kms:ListAliases", "kms:ListKeys"], "Resource":
             "*"}, {"Sid": "AllowAccessToCloudWatch", "Effect": "Allow", "Action": ["cloudwatch:GetMetricStatistics",
             "cloudwatch:GetMetricData"], "Resource": "*"}, {"Sid": "AllowAccessToAutoScaling", "Effect": "Allow", "Action":
             ["application-autoscaling:DescribeScalableTargets", "application-autoscaling:DescribeScheduledActions",
             "application-autoscaling:DescribeScalingPolicies", "application-autoscaling:DescribeScalingActivities"], "Resource": "*"},
             {"Sid": "DescribeLogGroups", "Effect": "Allow", "Action": ["logs:DescribeLogGroups"], "Resource": "*"}, {"Sid":
             "ListLogDeliveryStreams", "Effect": "Allow", "Action": ["firehose:ListDeliveryStreams"], "Resource": "*"}, {"Sid":
             "DescribeS3Buckets", "Effect": "Allow", "Action": ["s3:ListAllMyBuckets"], "Resource": "*"}, {"Sid": "AllowAccessToOutposts",
             "Effect": "Allow", "Action": ["outposts:ListOutposts"], "Resource": "*"}, {"Sid": "AllowAccessToSNS", "Effect": "Allow",
             "Action": ["sns:ListTopics"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonElasticFileSystemFullAccess", path: "/", version: 10, created: 1432743748, updated: 1731008060,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "ElasticFileSystemFullAccess", "Effect": "Allow", "Action":
             ["cloudwatch:DescribeAlarmsForMetric", "cloudwatch:GetMetricData", "ec2:CreateNetworkInterface",
             "ec2:DeleteNetworkInterface", "ec2:DescribeAvailabilityZones", "ec2:DescribeNetworkInterfaceAttribute",
             "ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcAttribute",
             "ec2:DescribeVpcs", "ec2:ModifyNetworkInterfaceAttribute", "elasticfilesystem:CreateFileSystem",
             "elasticfilesystem:CreateMountTarget", "elasticfilesystem:CreateTags", "elasticfilesystem:CreateAccessPoint",
             "elasticfilesystem:CreateReplicationConfiguration", "elasticfilesystem:DeleteFileSystem",
             "elasticfilesystem:DeleteMountTarget", "elasticfilesystem:DeleteTags", "elasticfilesystem:DeleteAccessPoint",
             "elasticfilesystem:DeleteFileSystemPolicy", "elasticfilesystem:DeleteReplicationConfiguration",
             "elasticfilesystem:DescribeAccountPreferences", "elasticfilesystem:DescribeBackupPolicy",
             "elasticfilesystem:DescribeFileSystems", "elasticfilesystem:DescribeFileSystemPolicy",
             "elasticfilesystem:DescribeLifecycleConfiguration", "elasticfilesystem:DescribeMountTargets",
             "elasticfilesystem:DescribeMountTargetSecurityGroups", "elasticfilesystem:DescribeTags",
             "elasticfilesystem:DescribeAccessPoints", "elasticfilesystem:DescribeReplicationConfigurations",
             "elasticfilesystem:ModifyMountTargetSecurityGroups", "elasticfilesystem:PutAccountPreferences",
             "elasticfilesystem:PutBackupPolicy", "elasticfilesystem:PutLifecycleConfiguration", "elasticfilesystem:PutFileSystemPolicy",
             "elasticfilesystem:UpdateFileSystem", "elasticfilesystem:UpdateFileSystemProtection", "elasticfilesystem:TagResource",
             "elasticfilesystem:UntagResource", "elasticfilesystem:ListTagsForResource", "elasticfilesystem:Backup",
             "elasticfilesystem:Restore", "elasticfilesystem:ReplicationRead", "elasticfilesystem:ReplicationWrite", "kms:DescribeKey",
             "kms:ListAliases"], "Resource": "*"}, {"Sid": "CreateServiceLinkedRoleForEFS", "Effect": "Allow", "Action":
             "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             ["elasticfilesystem.amazonaws.com"]}}}, {"Sid": "IAMPassRoleAccessForEFS", "Effect": "Allow", "Action": "iam:PassRole",
             "Resource": "arn:aws:iam::*:role/*", "Condition": {"StringLike": {"iam:PassedToService":
             "elasticfilesystem.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonElasticMapReduceforEC2Role", path: "/service-role/", version: 3, created: 1423248081, updated: 1502495850,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudwatch:*", "dynamodb:*", "ec2:Describe*",
             "elasticmapreduce:Describe*", "elasticmapreduce:ListBootstrapActions", "elasticmapreduce:ListClusters",
             "elasticmapreduce:ListInstanceGroups", "elasticmapreduce:ListInstances", "elasticmapreduce:ListSteps",
             "kinesis:CreateStream", "kinesis:DeleteStream", "kinesis:DescribeStream", "kinesis:GetRecords", "kinesis:GetShardIterator",
             "kinesis:MergeShards", "kinesis:PutRecord", "kinesis:SplitShard", "rds:Describe*", "s3:*", "sdb:*", "sns:*", "sqs:*",
             "glue:CreateDatabase", "glue:UpdateDatabase", "glue:DeleteDatabase", "glue:GetDatabase", "glue:GetDatabases",
             "glue:CreateTable", "glue:UpdateTable", "glue:DeleteTable", "glue:GetTable", "glue:GetTables", "glue:GetTableVersions",
             "glue:CreatePartition", "glue:BatchCreatePartition", "glue:UpdatePartition", "glue:DeletePartition",
             "glue:BatchDeletePartition", "glue:GetPartition", "glue:GetPartitions", "glue:BatchGetPartition",
             "glue:CreateUserDefinedFunction", "glue:UpdateUserDefinedFunction", "glue:DeleteUserDefinedFunction",
             "glue:GetUserDefinedFunction", "glue:GetUserDefinedFunctions"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonElasticMapReduceRole", path: "/service-role/", version: 10, created: 1423248080, updated: 1593037460,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:AuthorizeSecurityGroupEgress",
             "ec2:AuthorizeSecurityGroupIngress", "ec2:CancelSpotInstanceRequests", "ec2:CreateFleet", "ec2:CreateLaunchTemplate",
             "ec2:CreateNetworkInterface", "ec2:CreateSecurityGroup", "ec2:CreateTags", "ec2:DeleteLaunchTemplate",
             "ec2:DeleteNetworkInterface", "ec2:DeleteSecurityGroup", "ec2:DeleteTags", "ec2:DescribeAvailabilityZones",
             "ec2:DescribeAccountAttributes", "ec2:DescribeDhcpOptions", "ec2:DescribeImages", "ec2:DescribeInstanceStatus",
             "ec2:DescribeInstances", "ec2:DescribeKeyPairs", "ec2:DescribeLaunchTemplates", "ec2:DescribeNetworkAcls",
             "ec2:DescribeNetworkInterfaces", "ec2:DescribePrefixLists", "ec2:DescribeRouteTables", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSpotInstanceRequests", "ec2:DescribeSpotPriceHistory", "ec2:DescribeSubnets", "ec2:DescribeTags",
             "ec2:DescribeVpcAttribute", "ec2:DescribeVpcEndpoints", "ec2:DescribeVpcEndpointServices", "ec2:DescribeVpcs",
             "ec2:DetachNetworkInterface", "ec2:ModifyImageAttribute", "ec2:ModifyInstanceAttribute", "ec2:RequestSpotInstances",
             "ec2:RevokeSecurityGroupEgress", "ec2:RunInstances", "ec2:TerminateInstances", "ec2:DeleteVolume",
             "ec2:DescribeVolumeStatus", "ec2:DescribeVolumes", "ec2:DetachVolume", "iam:GetRole", "iam:GetRolePolicy",
             "iam:ListInstanceProfiles", "iam:ListRolePolicies", "iam:PassRole", "s3:CreateBucket", "s3:Get*", "s3:List*",
             "sdb:BatchPutAttributes", "sdb:Select", "sqs:CreateQueue", "sqs:Delete*", "sqs:GetQueue*", "sqs:PurgeQueue",
             "sqs:ReceiveMessage", "cloudwatch:PutMetricAlarm", "cloudwatch:DescribeAlarms", "cloudwatch:DeleteAlarms",
             "application-autoscaling:RegisterScalableTarget", "application-autoscaling:DeregisterScalableTarget",
             "application-autoscaling:PutScalingPolicy", "application-autoscaling:DeleteScalingPolicy",
             "application-autoscaling:Describe*"], "Resource": "*"}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole",
             "Resource": "arn:aws:iam::*:role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot*", "Condition": {"StringLike":
             {"iam:AWSServiceName": "spot.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonESCognitoAccess", path: "/", version: 2, created: 1519856958, updated: 1640009084,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cognito-idp:DescribeUserPool",
             "cognito-idp:CreateUserPoolClient", "cognito-idp:DeleteUserPoolClient", "cognito-idp:UpdateUserPoolClient",
             "cognito-idp:DescribeUserPoolClient", "cognito-idp:AdminInitiateAuth", "cognito-idp:AdminUserGlobalSignOut",
             "cognito-idp:ListUserPoolClients", "cognito-identity:DescribeIdentityPool", "cognito-identity:UpdateIdentityPool",
             "cognito-identity:SetIdentityPoolRoles", "cognito-identity:GetIdentityPoolRoles"], "Resource": "*"}, {"Effect": "Allow",
             "Action": "iam:PassRole", "Resource": "*", "Condition": {"StringLike": {"iam:PassedToService":
             ["cognito-identity.amazonaws.com", "cognito-identity-us-gov.amazonaws.com"]}}}]}
            """#),
        .init(
            "AmazonKinesisFirehoseFullAccess", path: "/", version: 1, created: 1444243526, updated: 1444243526,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["firehose:*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonKinesisFullAccess", path: "/", version: 1, created: 1423248029, updated: 1423248029,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "kinesis:*", "Resource": "*"}]}
            """#),
        .init(
            "AmazonKinesisReadOnlyAccess", path: "/", version: 1, created: 1423248030, updated: 1423248030,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["kinesis:Get*", "kinesis:List*", "kinesis:Describe*"],
             "Resource": "*"}]}
            """#),
        .init(
            "AmazonOpenSearchServiceFullAccess", path: "/", version: 1, created: 1631079227, updated: 1631079227,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["es:*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonRDSDataFullAccess", path: "/", version: 3, created: 1542749376, updated: 1574287126,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "SecretsManagerDbCredentialsAccess", "Effect": "Allow", "Action":
             ["secretsmanager:GetSecretValue", "secretsmanager:PutResourcePolicy", "secretsmanager:PutSecretValue",
             "secretsmanager:DeleteSecret", "secretsmanager:DescribeSecret", "secretsmanager:TagResource"], "Resource":
             "arn:aws:secretsmanager:*:*:secret:rds-db-credentials/*"}, {"Sid": "RDSDataServiceAccess", "Effect": "Allow", "Action":
             ["dbqms:CreateFavoriteQuery", "dbqms:DescribeFavoriteQueries", "dbqms:UpdateFavoriteQuery", "dbqms:DeleteFavoriteQueries",
             "dbqms:GetQueryString", "dbqms:CreateQueryHistory", "dbqms:DescribeQueryHistory", "dbqms:UpdateQueryHistory",
             "dbqms:DeleteQueryHistory", "rds-data:ExecuteSql", "rds-data:ExecuteStatement", "rds-data:BatchExecuteStatement",
             "rds-data:BeginTransaction", "rds-data:CommitTransaction", "rds-data:RollbackTransaction", "secretsmanager:CreateSecret",
             "secretsmanager:ListSecrets", "secretsmanager:GetRandomPassword", "tag:GetResources"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonRDSEnhancedMonitoringRole", path: "/service-role/", version: 1, created: 1447271909, updated: 1447271909,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "EnableCreationAndManagementOfRDSCloudwatchLogGroups", "Effect": "Allow",
             "Action": ["logs:CreateLogGroup", "logs:PutRetentionPolicy"], "Resource": ["arn:aws:logs:*:*:log-group:RDS*"]}, {"Sid":
             "EnableCreationAndManagementOfRDSCloudwatchLogStreams", "Effect": "Allow", "Action": ["logs:CreateLogStream",
             "logs:PutLogEvents", "logs:DescribeLogStreams", "logs:GetLogEvents"], "Resource":
             ["arn:aws:logs:*:*:log-group:RDS*:log-stream:*"]}]}
            """#),
        .init(
            "AmazonRDSFullAccess", path: "/", version: 14, created: 1423248052, updated: 1692313217,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["rds:*", "application-autoscaling:DeleteScalingPolicy",
             "application-autoscaling:DeregisterScalableTarget", "application-autoscaling:DescribeScalableTargets",
             "application-autoscaling:DescribeScalingActivities", "application-autoscaling:DescribeScalingPolicies",
             "application-autoscaling:PutScalingPolicy", "application-autoscaling:RegisterScalableTarget", "cloudwatch:DescribeAlarms",
             "cloudwatch:GetMetricStatistics", "cloudwatch:PutMetricAlarm", "cloudwatch:DeleteAlarms", "cloudwatch:ListMetrics",
             "cloudwatch:GetMetricData", "ec2:DescribeAccountAttributes", "ec2:DescribeAvailabilityZones", "ec2:DescribeCoipPools",
             "ec2:DescribeInternetGateways", "ec2:DescribeLocalGatewayRouteTablePermissions", "ec2:DescribeLocalGatewayRouteTables",
             "ec2:DescribeLocalGatewayRouteTableVpcAssociations", "ec2:DescribeLocalGateways", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcAttribute", "ec2:DescribeVpcs", "ec2:GetCoipPoolUsage", "sns:ListSubscriptions",
             "sns:ListTopics", "sns:Publish", "logs:DescribeLogStreams", "logs:GetLogEvents", "outposts:GetOutpostInstanceTypes",
             "devops-guru:GetResourceCollection"], "Resource": "*"}, {"Effect": "Allow", "Action": "pi:*", "Resource":
             ["arn:aws:pi:*:*:metrics/rds/*", "arn:aws:pi:*:*:perf-reports/rds/*"]}, {"Effect": "Allow", "Action":
             "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringLike": {"iam:AWSServiceName": ["rds.amazonaws.com",
             "rds.application-autoscaling.amazonaws.com"]}}}, {"Effect": "Allow", "Action": ["devops-guru:SearchInsights",
             "devops-guru:ListAnomaliesForInsight"], "Resource": "*", "Condition": {"ForAllValues:StringEquals":
             {"devops-guru:ServiceNames": ["RDS"]}, "Null": {"devops-guru:ServiceNames": "false"}}}]}
            """#),
        .init(
            "AmazonRDSReadOnlyAccess", path: "/", version: 7, created: 1423248053, updated: 1681475529,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["rds:Describe*", "rds:ListTagsForResource",
             "ec2:DescribeAccountAttributes", "ec2:DescribeAvailabilityZones", "ec2:DescribeInternetGateways",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcAttribute", "ec2:DescribeVpcs"], "Resource": "*"},
             {"Effect": "Allow", "Action": ["cloudwatch:GetMetricStatistics", "cloudwatch:ListMetrics", "cloudwatch:GetMetricData",
             "logs:DescribeLogStreams", "logs:GetLogEvents", "devops-guru:GetResourceCollection"], "Resource": "*"}, {"Effect": "Allow",
             "Action": ["devops-guru:SearchInsights", "devops-guru:ListAnomaliesForInsight"], "Resource": "*", "Condition":
             {"ForAllValues:StringEquals": {"devops-guru:ServiceNames": ["RDS"]}, "Null": {"devops-guru:ServiceNames": "false"}}}]}
            """#),
        .init(
            "AmazonRedshiftFullAccess", path: "/", version: 5, created: 1423248050, updated: 1657236673,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["redshift:*", "redshift-serverless:*",
             "ec2:DescribeAccountAttributes", "ec2:DescribeAddresses", "ec2:DescribeAvailabilityZones", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcs", "ec2:DescribeInternetGateways", "sns:CreateTopic", "sns:Get*", "sns:List*",
             "cloudwatch:Describe*", "cloudwatch:Get*", "cloudwatch:List*", "cloudwatch:PutMetricAlarm", "cloudwatch:EnableAlarmActions",
             "cloudwatch:DisableAlarmActions", "tag:GetResources", "tag:UntagResources", "tag:GetTagValues", "tag:GetTagKeys",
             "tag:TagResources"], "Resource": "*"}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/redshift.amazonaws.com/AWSServiceRoleForRedshift", "Condition": {"StringLike":
             {"iam:AWSServiceName": "redshift.amazonaws.com"}}}, {"Sid": "DataAPIPermissions", "Effect": "Allow", "Action":
             ["redshift-data:ExecuteStatement", "redshift-data:CancelStatement", "redshift-data:ListStatements",
             "redshift-data:GetStatementResult", "redshift-data:DescribeStatement", "redshift-data:ListDatabases",
             "redshift-data:ListSchemas", "redshift-data:ListTables", "redshift-data:DescribeTable"], "Resource": "*"}, {"Sid":
             "SecretsManagerListPermissions", "Effect": "Allow", "Action": ["secretsmanager:ListSecrets"], "Resource": "*"}, {"Sid":
             "SecretsManagerCreateGetPermissions", "Effect": "Allow", "Action": ["secretsmanager:CreateSecret",
             "secretsmanager:GetSecretValue", "secretsmanager:TagResource"], "Resource": "*", "Condition": {"StringLike":
             {"secretsmanager:ResourceTag/RedshiftDataFullAccess": "*"}}}]}
            """#),
        .init(
            "AmazonRedshiftReadOnlyAccess", path: "/", version: 2, created: 1423248051, updated: 1707351853,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonRedshiftReadOnlyAccess", "Effect": "Allow", "Action":
             ["redshift:Describe*", "redshift:ListRecommendations", "redshift:ViewQueriesInConsole", "ec2:DescribeAccountAttributes",
             "ec2:DescribeAddresses", "ec2:DescribeAvailabilityZones", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets",
             "ec2:DescribeVpcs", "ec2:DescribeInternetGateways", "sns:Get*", "sns:List*", "cloudwatch:Describe*", "cloudwatch:List*",
             "cloudwatch:Get*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonS3FullAccess", path: "/", version: 2, created: 1423248058, updated: 1632773797,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:*", "s3-object-lambda:*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonS3ObjectLambdaExecutionRolePolicy", path: "/service-role/", version: 1, created: 1629281261, updated: 1629281261,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["logs:CreateLogGroup", "logs:CreateLogStream",
             "logs:PutLogEvents", "s3-object-lambda:WriteGetObjectResponse"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonS3OutpostsFullAccess", path: "/", version: 1, created: 1601659590, updated: 1601659590,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3-outposts:*", "Resource": "*"}, {"Effect": "Allow",
             "Action": ["datasync:ListTasks", "datasync:ListLocations", "datasync:DescribeTask", "datasync:DescribeLocation*"],
             "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:DescribeVpcs", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups",
             "ec2:DescribeNetworkInterfaces"], "Resource": "*"}, {"Effect": "Allow", "Action": ["outposts:ListOutposts",
             "outposts:GetOutpost"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonS3OutpostsReadOnlyAccess", path: "/", version: 1, created: 1601664958, updated: 1601664958,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3-outposts:Get*", "s3-outposts:List*"], "Resource":
             "*"}, {"Effect": "Allow", "Action": ["datasync:ListTasks", "datasync:ListLocations", "datasync:DescribeTask",
             "datasync:DescribeLocation*"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:DescribeVpcs", "ec2:DescribeSubnets",
             "ec2:DescribeSecurityGroups", "ec2:DescribeNetworkInterfaces"], "Resource": "*"}, {"Effect": "Allow", "Action":
             ["outposts:ListOutposts", "outposts:GetOutpost"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonS3ReadOnlyAccess", path: "/", version: 3, created: 1423248059, updated: 1691703099,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:Get*", "s3:List*", "s3:Describe*",
             "s3-object-lambda:Get*", "s3-object-lambda:List*"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonS3TablesFullAccess", path: "/", version: 6, created: 1733239267, updated: 1770919231,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3tables:*"], "Resource": "*"}, {"Sid":
             "PassRoleToS3TablesReplication", "Effect": "Allow", "Action": ["iam:PassRole"], "Resource": "*", "Condition":
             {"StringEquals": {"iam:PassedToService": ["replication.s3tables.amazonaws.com"]}}}]}
            """#),
        .init(
            "AmazonS3TablesReadOnlyAccess", path: "/", version: 3, created: 1733239266, updated: 1770919354,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3tables:Get*", "s3tables:List*"], "Resource": "*"}]}
            """#),
        .init(
            "AWSBackupServiceRolePolicyForS3Backup", path: "/", version: 5, created: 1645206024, updated: 1787595438,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CloudWatchGetMetricDataPermissions", "Effect": "Allow", "Action":
             "cloudwatch:GetMetricData", "Resource": "*"}, {"Sid": "EventBridgePermissionsForAwsBackupManagedRule", "Effect": "Allow",
             "Action": ["events:DeleteRule", "events:PutTargets", "events:DescribeRule", "events:EnableRule", "events:PutRule",
             "events:RemoveTargets", "events:ListTargetsByRule", "events:DisableRule"], "Resource":
             ["arn:aws:events:*:*:rule/AwsBackupManagedRule*"]}, {"Sid": "EventBridgeListRulesPermissions", "Effect": "Allow", "Action":
             "events:ListRules", "Resource": "*"}, {"Sid": "KmsPermissions", "Effect": "Allow", "Action": ["kms:Decrypt",
             "kms:DescribeKey"], "Resource": "*", "Condition": {"StringLike": {"kms:ViaService": "s3.*.amazonaws.com"}}}, {"Sid":
             "S3BucketPermissions", "Effect": "Allow", "Action": ["s3:GetBucketTagging", "s3:GetInventoryConfiguration",
             "s3:ListBucketVersions", "s3:ListBucket", "s3:GetBucketVersioning", "s3:GetBucketLocation", "s3:GetBucketAcl",
             "s3:PutInventoryConfiguration", "s3:GetBucketNotification", "s3:PutBucketNotification"], "Resource": "arn:aws:s3:::*"},
             {"Sid": "S3ObjectPermissions", "Effect": "Allow", "Action": ["s3:GetObjectAcl", "s3:GetObject", "s3:GetObjectVersionTagging",
             "s3:GetObjectVersionAcl", "s3:GetObjectTagging", "s3:GetObjectVersion"], "Resource": "arn:aws:s3:::*/*"}, {"Sid":
             "S3ListBucketPermissions", "Effect": "Allow", "Action": "s3:ListAllMyBuckets", "Resource": "*"}, {"Sid":
             "S3BucketTagReadPermissions", "Effect": "Allow", "Action": ["s3:ListTagsForResource"], "Resource": "arn:aws:s3:::*",
             "Condition": {"StringEquals": {"aws:PrincipalAccount": "${aws:ResourceAccount}"}}}, {"Sid":
             "RecoveryPointTaggingPermissions", "Effect": "Allow", "Action": ["backup:TagResource"], "Resource":
             "arn:aws:backup:*:*:recovery-point:*", "Condition": {"StringEquals": {"aws:PrincipalAccount": "${aws:ResourceAccount}"}}}]}
            """#),
    ]
}
