extension AWSManagedPolicy {
    /// Policies for machines and containers. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let compute2: [AWSManagedPolicy] = [
        .init(
            "AWSElasticBeanstalkWebTier", path: "/", version: 9, created: 1454972934, updated: 1777490836,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "BucketAccess", "Effect": "Allow", "Action": ["s3:Get*", "s3:List*",
             "s3:PutObject"], "Resource": ["arn:aws:s3:::elasticbeanstalk-*", "arn:aws:s3:::elasticbeanstalk-*/*"]}, {"Sid": "XRayAccess",
             "Effect": "Allow", "Action": ["xray:PutTraceSegments", "xray:PutTelemetryRecords", "xray:GetSamplingRules",
             "xray:GetSamplingTargets", "xray:GetSamplingStatisticSummaries"], "Resource": "*"}, {"Sid": "CloudWatchLogsAccess", "Effect":
             "Allow", "Action": ["logs:PutLogEvents", "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:DescribeLogGroups"],
             "Resource": ["arn:aws:logs:*:*:log-group:/aws/elasticbeanstalk*"]}, {"Sid": "ElasticBeanstalkHealthAccess", "Effect":
             "Allow", "Action": ["elasticbeanstalk:PutInstanceStatistics"], "Resource": ["arn:aws:elasticbeanstalk:*:*:application/*",
             "arn:aws:elasticbeanstalk:*:*:environment/*"]}, {"Sid": "AIEnvironmentAnalysisInvokeFoundationModel", "Effect": "Allow",
             "Action": "bedrock:InvokeModel", "Resource": ["arn:aws:bedrock:*::foundation-model/anthropic.claude-*",
             "arn:aws:bedrock:*::foundation-model/amazon.nova-*"]}, {"Sid": "AIEnvironmentAnalysisInvokeInferenceProfile", "Effect":
             "Allow", "Action": "bedrock:InvokeModel", "Resource": ["arn:aws:bedrock:*:*:inference-profile/*anthropic.claude-*",
             "arn:aws:bedrock:*:*:inference-profile/*amazon.nova-*"], "Condition": {"StringEquals": {"aws:ResourceAccount":
             "${aws:PrincipalAccount}"}}}, {"Sid": "AIEnvironmentAnalysisReadOnly", "Effect": "Allow", "Action":
             ["bedrock:ListFoundationModels", "elasticbeanstalk:DescribeEvents", "elasticbeanstalk:DescribeEnvironmentHealth"],
             "Resource": "*"}, {"Sid": "MarketplaceOperationsFromBedrock", "Effect": "Allow", "Action": ["aws-marketplace:Subscribe",
             "aws-marketplace:ViewSubscriptions", "aws-marketplace:Unsubscribe"], "Resource": "*"}]}
            """#),
        .init(
            "AWSElasticBeanstalkWorkerTier", path: "/", version: 8, created: 1454973122, updated: 1777490826,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "MetricsAccess", "Effect": "Allow", "Action": ["cloudwatch:PutMetricData"],
             "Resource": "*"}, {"Sid": "XRayAccess", "Effect": "Allow", "Action": ["xray:PutTraceSegments", "xray:PutTelemetryRecords",
             "xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:GetSamplingStatisticSummaries"], "Resource": "*"}, {"Sid":
             "QueueAccess", "Effect": "Allow", "Action": ["sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:ReceiveMessage",
             "sqs:SendMessage"], "Resource": "*"}, {"Sid": "BucketAccess", "Effect": "Allow", "Action": ["s3:Get*", "s3:List*",
             "s3:PutObject"], "Resource": ["arn:aws:s3:::elasticbeanstalk-*", "arn:aws:s3:::elasticbeanstalk-*/*"]}, {"Sid":
             "DynamoPeriodicTasks", "Effect": "Allow", "Action": ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem",
             "dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:UpdateItem"],
             "Resource": ["arn:aws:dynamodb:*:*:table/*-stack-AWSEBWorkerCronLeaderRegistry*"]}, {"Sid": "CloudWatchLogsAccess", "Effect":
             "Allow", "Action": ["logs:PutLogEvents", "logs:CreateLogStream"], "Resource":
             ["arn:aws:logs:*:*:log-group:/aws/elasticbeanstalk*"]}, {"Sid": "ElasticBeanstalkHealthAccess", "Effect": "Allow", "Action":
             ["elasticbeanstalk:PutInstanceStatistics"], "Resource": ["arn:aws:elasticbeanstalk:*:*:application/*",
             "arn:aws:elasticbeanstalk:*:*:environment/*"]}, {"Sid": "AIEnvironmentAnalysisInvokeFoundationModel", "Effect": "Allow",
             "Action": "bedrock:InvokeModel", "Resource": ["arn:aws:bedrock:*::foundation-model/anthropic.claude-*",
             "arn:aws:bedrock:*::foundation-model/amazon.nova-*"]}, {"Sid": "AIEnvironmentAnalysisInvokeInferenceProfile", "Effect":
             "Allow", "Action": "bedrock:InvokeModel", "Resource": ["arn:aws:bedrock:*:*:inference-profile/*anthropic.claude-*",
             "arn:aws:bedrock:*:*:inference-profile/*amazon.nova-*"], "Condition": {"StringEquals": {"aws:ResourceAccount":
             "${aws:PrincipalAccount}"}}}, {"Sid": "AIEnvironmentAnalysisReadOnly", "Effect": "Allow", "Action":
             ["bedrock:ListFoundationModels", "elasticbeanstalk:DescribeEvents", "elasticbeanstalk:DescribeEnvironmentHealth"],
             "Resource": "*"}, {"Sid": "MarketplaceOperationsFromBedrock", "Effect": "Allow", "Action": ["aws-marketplace:Subscribe",
             "aws-marketplace:ViewSubscriptions", "aws-marketplace:Unsubscribe"], "Resource": "*"}]}
            """#),
        .init(
            "ElasticLoadBalancingFullAccess", path: "/", version: 9, created: 1537476127, updated: 1771873027,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "elasticloadbalancing:*", "Resource": "*"}, {"Effect":
             "Allow", "Action": ["ec2:DescribeAccountAttributes", "ec2:DescribeAddresses", "ec2:DescribeInternetGateways",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVpcs", "ec2:DescribeVpcClassicLink",
             "ec2:DescribeInstances", "ec2:DescribeNetworkInterfaces", "ec2:DescribeClassicLinkInstances", "ec2:DescribeRouteTables",
             "ec2:DescribeCoipPools", "ec2:GetCoipPoolUsage", "ec2:GetSecurityGroupsForVpc", "ec2:DescribeVpcPeeringConnections",
             "ec2:DescribeAvailabilityZones", "cognito-idp:DescribeUserPoolClient"], "Resource": "*"}, {"Effect": "Allow", "Action":
             "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             "elasticloadbalancing.amazonaws.com"}}}, {"Effect": "Allow", "Action": "arc-zonal-shift:*", "Resource":
             "arn:aws:elasticloadbalancing:*:*:loadbalancer/*"}, {"Effect": "Allow", "Action": ["arc-zonal-shift:ListManagedResources",
             "arc-zonal-shift:ListZonalShifts"], "Resource": "*"}]}
            """#),
        .init(
            "ElasticLoadBalancingReadOnly", path: "/", version: 3, created: 1537474629, updated: 1701022546,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "Statement1", "Effect": "Allow", "Action": ["elasticloadbalancing:Describe*",
             "elasticloadbalancing:Get*"], "Resource": "*"}, {"Sid": "Statement2", "Effect": "Allow", "Action": ["ec2:DescribeInstances",
             "ec2:DescribeClassicLinkInstances", "ec2:DescribeSecurityGroups"], "Resource": "*"}, {"Sid": "Statement3", "Effect": "Allow",
             "Action": "arc-zonal-shift:GetManagedResource", "Resource": "arn:aws:elasticloadbalancing:*:*:loadbalancer/*"}, {"Sid":
             "Statement4", "Effect": "Allow", "Action": ["arc-zonal-shift:ListManagedResources", "arc-zonal-shift:ListZonalShifts"],
             "Resource": "*"}]}
            """#),
    ]
}
