// A click on the ground sends somebody there; the space bar lets them wave.
using UnityEngine;

namespace Locomote.Samples
{
    [RequireComponent(typeof(LocomoteStream))]
    public class ClickToGo : MonoBehaviour
    {
        public string group = "people";
        public int who = 0;

        void Update()
        {
            var stream = GetComponent<LocomoteStream>();
            if (Input.GetKeyDown(KeyCode.Space)) stream.Gesture(group, who, "wave");
            if (!Input.GetMouseButtonDown(0) || Camera.main == null) return;
            Ray ray = Camera.main.ScreenPointToRay(Input.mousePosition);
            float distance;
            if (new Plane(Vector3.up, Vector3.zero).Raycast(ray, out distance))
                stream.GoTo(group, who, ray.GetPoint(distance));
        }
    }
}
