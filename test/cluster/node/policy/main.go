// Command policy enforces the network policies of a cluster of one machine with iptables, in the chain CNI-ADMIN that the
// CNI plugin "firewall" jumps to. It ends with an error where a policy has what it does not know: named ports and
// exceptions of address ranges.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type direction struct {
	kind              networking.PolicyType
	letter, pod, peer string
}

var directions = []direction{
	{networking.PolicyTypeEgress, "E", "-s", "-d"},
	{networking.PolicyTypeIngress, "I", "-d", "-s"},
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	must(err)
	factory := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(config), 0)
	pods, namespaces := factory.Core().V1().Pods(), factory.Core().V1().Namespaces()
	policies := factory.Networking().V1().NetworkPolicies()
	changes := make(chan struct{}, 1)
	change := func() {
		select {
		case changes <- struct{}{}:
		default:
		}
	}
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { change() },
		UpdateFunc: func(any, any) { change() },
		DeleteFunc: func(any) { change() },
	}
	for _, informer := range []cache.SharedIndexInformer{pods.Informer(), namespaces.Informer(), policies.Informer()} {
		_, err := informer.AddEventHandler(handler)
		must(err)
	}
	factory.Start(nil)
	factory.WaitForCacheSync(nil)
	last := ""
	for range changes {
		var state cluster
		state.pods, err = pods.Lister().List(labels.Everything())
		must(err)
		state.namespaces, err = namespaces.Lister().List(labels.Everything())
		must(err)
		state.policies, err = policies.Lister().List(labels.Everything())
		must(err)
		if rules := state.rules(); rules != last {
			restore := exec.Command("iptables-restore", "--noflush", "--wait")
			restore.Stdin = strings.NewReader(rules)
			if output, err := restore.CombinedOutput(); err != nil {
				log.Fatalf("%v: %s\n%s", err, output, rules)
			}
			last = rules
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type cluster struct {
	pods       []*core.Pod
	namespaces []*core.Namespace
	policies   []*networking.NetworkPolicy
}

// rules is the input of iptables-restore: a chain for each pod and direction that a policy isolates.
func (c cluster) rules() string {
	var chains, jumps, rules strings.Builder
	for _, way := range directions {
		for _, pod := range c.pods {
			selecting := c.selecting(pod, way.kind)
			if pod.Status.PodIP == "" || pod.Spec.HostNetwork || pod.Status.Phase != core.PodRunning && pod.Status.Phase != core.PodPending || len(selecting) == 0 {
				continue
			}
			chain := "POLICY-" + way.letter + "-" + pod.Status.PodIP
			fmt.Fprintf(&chains, ":%s - [0:0]\n", chain)
			fmt.Fprintf(&jumps, "-A CNI-ADMIN %s %s -j %s\n", way.pod, pod.Status.PodIP, chain)
			for _, policy := range selecting {
				for _, rule := range c.matches(policy, way) {
					fmt.Fprintf(&rules, "-A %s %s -j RETURN\n", chain, rule)
				}
			}
			fmt.Fprintf(&rules, "-A %s -j DROP\n", chain)
		}
	}
	return "*filter\n:CNI-ADMIN - [0:0]\n" + chains.String() +
		"-A CNI-ADMIN -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN\n" + jumps.String() + rules.String() + "COMMIT\n"
}

func (c cluster) selecting(pod *core.Pod, kind networking.PolicyType) (found []*networking.NetworkPolicy) {
	for _, policy := range c.policies {
		for _, listed := range policy.Spec.PolicyTypes {
			if listed == kind && policy.Namespace == pod.Namespace && selects(&policy.Spec.PodSelector, pod.Labels) {
				found = append(found, policy)
			}
		}
	}
	return found
}

// matches are the conditions under which one policy lets a packet pass.
func (c cluster) matches(policy *networking.NetworkPolicy, way direction) (found []string) {
	add := func(peers []networking.NetworkPolicyPeer, ports []networking.NetworkPolicyPort) {
		for _, peer := range c.peers(policy.Namespace, peers, way) {
			for _, port := range toPorts(ports) {
				found = append(found, strings.TrimSpace(peer+" "+port))
			}
		}
	}
	if way.kind == networking.PolicyTypeEgress {
		for _, rule := range policy.Spec.Egress {
			add(rule.To, rule.Ports)
		}
		return found
	}
	for _, rule := range policy.Spec.Ingress {
		add(rule.From, rule.Ports)
	}
	return found
}

func (c cluster) peers(namespace string, peers []networking.NetworkPolicyPeer, way direction) (found []string) {
	if len(peers) == 0 {
		return []string{""}
	}
	for _, peer := range peers {
		if peer.IPBlock != nil {
			if len(peer.IPBlock.Except) > 0 {
				log.Fatal("policy: exceptions of address ranges are not known here")
			}
			found = append(found, way.peer+" "+peer.IPBlock.CIDR)
			continue
		}
		for _, pod := range c.pods {
			inNamespace := pod.Namespace == namespace
			if peer.NamespaceSelector != nil {
				inNamespace = selects(peer.NamespaceSelector, c.labelsOf(pod.Namespace))
			}
			if pod.Status.PodIP != "" && inNamespace && (peer.PodSelector == nil || selects(peer.PodSelector, pod.Labels)) {
				found = append(found, way.peer+" "+pod.Status.PodIP)
			}
		}
	}
	return found
}

func (c cluster) labelsOf(namespace string) map[string]string {
	for _, it := range c.namespaces {
		if it.Name == namespace {
			return it.Labels
		}
	}
	return nil
}

func toPorts(ports []networking.NetworkPolicyPort) (found []string) {
	if len(ports) == 0 {
		return []string{""}
	}
	for _, port := range ports {
		protocol := "tcp"
		if port.Protocol != nil {
			protocol = strings.ToLower(string(*port.Protocol))
		}
		match := "-p " + protocol
		if port.Port != nil {
			if port.Port.IntVal == 0 {
				log.Fatal("policy: named ports are not known here")
			}
			match += fmt.Sprintf(" -m %s --dport %d", protocol, port.Port.IntVal)
			if port.EndPort != nil {
				match += fmt.Sprintf(":%d", *port.EndPort)
			}
		}
		found = append(found, match)
	}
	return found
}

func selects(selector *meta.LabelSelector, of map[string]string) bool {
	parsed, err := meta.LabelSelectorAsSelector(selector)
	must(err)
	return parsed.Matches(labels.Set(of))
}
